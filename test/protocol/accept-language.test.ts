import t from 'tap';
import type { StartChromium } from '../../src/protocol/generated/schemas.js';
import { validator } from '../../src/protocol/validation.js';

const valid = validator<StartChromium>('start-chromium.json');
const isTaken = (language: string) => valid({ locale: { language } }).ok;

t.test('locale.language is any value of an Accept-Language header', async t => {
  const values = [
    ...['*', 'en', 'en-US,en;q=0.9,*;q=0.5', '*;q=0.5', 'de;q=0', 'de;q=0.125', 'de;q=1.000', 'de;q=0.', 'de;Q=1'],
    ...['en,', ',en', 'en, ,de', ' en ;\tq=0.5 , de ', ', ,', '', 'zh-Hant-TW', 'de-1996', 'x-klingon'],
  ];
  for (const value of values) t.ok(isTaken(value), JSON.stringify(value));
});

t.test('anything else is refused', async t => {
  const values = [
    'en;q=2',
    'en;q=0.1234',
    'en;q=1.5',
    'en US',
    'en;q',
    'en;level=1',
    'en*',
    '**',
    'en_US',
    'en\n',
    'é',
  ];
  for (const value of values) t.notOk(isTaken(value), JSON.stringify(value));
});
