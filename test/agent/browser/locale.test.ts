import t from 'tap';
import { acceptLanguage, locale } from '../../../src/agent/browser/launch/locale.js';

t.test('an Accept-Language list is ordered by its weights', async t => {
  t.same(acceptLanguage('fr;q=0.7, de, en-us;q=0.9'), ['de', 'en-US', 'fr']);
  t.same(acceptLanguage('de;q=0, en'), ['en'], 'a weight of 0 means not wanted');
  t.same(acceptLanguage('x_y, 1, , de;level=1, pt-BR'), ['pt-BR'], 'what is no language is left out');
  t.same(acceptLanguage(''), []);
  t.same(acceptLanguage('en-US,en;q=0.9,*;q=0.5'), ['en-US', 'en'], 'any other language is none in particular');
  t.same(acceptLanguage(', de;Q=0.125 ,\t, fr ; q=1.000,'), ['fr', 'de'], 'empty elements, spaces, three decimals');
});

t.test('the first language is requested as spoken in the country', async t => {
  t.same(locale({ language: 'de,en', country: 'AT' }), { languages: ['de-AT', 'de', 'en'], posix: 'de_AT.UTF-8' });
  t.same(locale({ language: 'en-US,en;q=0.9', country: 'DE' }), {
    languages: ['en-DE', 'en-US', 'en'],
    posix: 'en_US.UTF-8',
  });
  t.same(
    locale({ language: 'de-CH', country: 'CH' }),
    { languages: ['de-CH'], posix: 'de_CH.UTF-8' },
    'the same region',
  );
  t.same(locale({ language: 'zh-Hant-TW', country: 'HK' }).languages, ['zh-Hant-HK', 'zh-Hant-TW'], 'the script stays');
});

t.test('a country alone determines the language', async t => {
  t.same(locale({ country: 'JP' }), { languages: ['ja-JP', 'ja'], posix: 'ja_JP.UTF-8' });
});

t.test('the default is US English', async t => {
  t.same(locale(undefined), { languages: ['en-US'], posix: 'en_US.UTF-8' });
  t.same(locale({ language: '*' }), { languages: ['en-US'], posix: 'en_US.UTF-8' }, 'any language');
  t.same(locale({ country: 'nonsense', language: '%%%' }), { languages: ['en-US'], posix: 'en_US.UTF-8' });
});
