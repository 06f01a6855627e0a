import t from 'tap';
import { acceptLanguage, locale } from '../../../src/agent/browser/locale.js';

t.test('an Accept-Language list is ordered by its weights', async t => {
  t.same(acceptLanguage('fr;q=0.7, de, en-us;q=0.9'), ['de', 'en-US', 'fr']);
  t.same(acceptLanguage('de;q=0, en'), ['en'], 'a weight of 0 means not wanted');
  t.same(acceptLanguage('x_y, 1, , de;level=1, pt-BR'), ['pt-BR'], 'what is no language is left out');
  t.same(acceptLanguage(''), []);
});

t.test('the country is the region of a language that names none', async t => {
  t.same(locale({ language: 'de,en', country: 'AT' }), { languages: ['de-AT', 'de', 'en'], posix: 'de_AT.UTF-8' });
  t.same(locale({ language: 'de-CH', country: 'AT' }).languages, ['de-CH']);
});

t.test('a country alone decides the language', async t => {
  t.same(locale({ country: 'JP' }), { languages: ['ja-JP', 'ja'], posix: 'ja_JP.UTF-8' });
});

t.test('without anything it is US English', async t => {
  t.same(locale(undefined), { languages: ['en-US'], posix: 'en_US.UTF-8' });
  t.same(locale({ country: 'nonsense', language: '%%%' }), { languages: ['en-US'], posix: 'en_US.UTF-8' });
});
