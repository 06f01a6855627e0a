/** Every language has every sentence, with the values that English has; the compiler sees to the keys. */
import t from 'tap';
import { LANGUAGES, negotiate } from '../../../src/protocol/languages.js';
import { ENGLISH, type Plural } from '../../../src/web/languages/english.js';
import { TABLES } from '../../../src/web/languages/tables/index.js';
import { ENGLISH_TEXTS, type Key, Texts } from '../../../src/web/languages/texts.js';

const placesIn = (sentence: string) => [...sentence.matchAll(/\{(\w*)\}/g)].map(([, name]) => name).sort();

const formsOf = (sentence: string | Plural): [form: string, words: string][] =>
  Object.entries(typeof sentence === 'string' ? { other: sentence } : sentence);

t.same(LANGUAGES, ['en', ...Object.keys(TABLES)], 'all languages have a table');

for (const [language, table] of Object.entries(TABLES)) {
  const rules = new Intl.PluralRules(language);
  /** Whether a form is for one number only, which it may have in words. */
  const isForOne = (form: string) =>
    Array.from({ length: 200 }, (_, n) => rules.select(n)).filter(of => of === form).length === 1;

  t.test(`the table of ${language}`, async t => {
    t.same(Object.keys(table), Object.keys(ENGLISH), 'its keys come in the order of the English ones');
    for (const key of Object.keys(ENGLISH) as Key[]) {
      const [english, sentence]: (string | Plural)[] = [ENGLISH[key], table[key]];
      const places = placesIn(formsOf(english ?? '').at(-1)?.[1] ?? '');
      for (const [form, words] of formsOf(sentence ?? '')) {
        if (key !== 'separator')
          t.ok(words.trim() !== '' && words === words.trim(), `${key}: words, without spaces around`);
        const isInWords = isForOne(form) && !words.includes('{count}');
        t.same(placesIn(words), isInWords ? [] : places, `${key}: the values of the English sentence`);
      }
      if (typeof english !== 'string')
        t.same(
          new Set(Object.keys(sentence ?? {})),
          new Set(rules.resolvedOptions().pluralCategories),
          `${key}: the forms of its numbers`,
        );
    }
  });
}

t.test('sentences get their values, numbers as the language writes them', async t => {
  t.equal(ENGLISH_TEXTS.say('closeWindow', { name: '{other}' }), 'Close {other}');
  t.equal(ENGLISH_TEXTS.say('peopleCount', { count: 1 }), '1 person');
  t.equal(ENGLISH_TEXTS.say('folderTooLarge', { count: 5000 }), 'A folder can have at most 5,000 files.');
  const german = new Texts('de', TABLES.de);
  t.equal(german.say('folderTooLarge', { count: 5000 }), 'Ein Ordner kann höchstens 5.000 Dateien haben.');
  t.equal(german.direction, 'ltr');
  const russian = new Texts('ru', TABLES.ru);
  t.same(
    [1, 2, 5, 21].map(count => russian.say('fileCount', { count })),
    ['1 файл', '2 файла', '5 файлов', '21 файл'],
  );
});

t.test('from right to left, names are kept apart from what is around them', async t => {
  const hebrew = new Texts('he', TABLES.he);
  t.equal(hebrew.direction, 'rtl');
  t.equal(hebrew.say('saveFile', { name: 'a.txt' }), 'שמירת \u2068a.txt\u2069');
});

t.test('what the service says has a sentence by its code, or stays as it is', async t => {
  const german = new Texts('de', TABLES.de);
  t.equal(german.translated('error_seat_taken', 'All seats are taken.'), 'Der Platz ist besetzt.');
  t.equal(german.translated('error_unheard_of', 'It is so.'), 'It is so.');
  t.equal(german.translated('error_toString', 'It is so.'), 'It is so.');
  t.equal(ENGLISH_TEXTS.translated('error_seat_taken', 'Player 2 is taken.'), 'Player 2 is taken.', 'with its details');
});

t.test('a table of another version lacks sentences, which are English then', async t => {
  t.equal(new Texts('de', { cancel: 'Abbrechen' }).say('close'), 'Close');
});

t.test('the first language that there is a table for is chosen', async t => {
  const choices: [wanted: string[], language: string][] = [
    [['de-AT'], 'de'],
    [['nb', 'de'], 'de'],
    [['nb'], 'en'],
    [[], 'en'],
    [['en-GB', 'de'], 'en'],
    [['', 'x', 'de_DE', '*', '中文', 'DE'], 'de'],
    [['pt-BR'], 'pt'],
    [['pt-PT'], 'pt'],
    [['zh-CN'], 'zh-Hans'],
    [['zh'], 'zh-Hans'],
    [['zh-SG'], 'zh-Hans'],
    [['zh-TW'], 'zh-Hant'],
    [['zh-HK'], 'zh-Hant'],
    [['zh-Hant-CN'], 'zh-Hant'],
    [['cmn-TW'], 'zh-Hant'],
    [['he-IL'], 'he'],
    [['iw'], 'he'],
    [['ar-EG'], 'ar'],
    [['uk', 'ru'], 'uk'],
  ];
  for (const [wanted, language] of choices) t.equal(negotiate(wanted), language, wanted.join());
});
