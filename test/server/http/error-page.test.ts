import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { errorPage } from '../../../src/server/http/error-page.js';
import { HttpError } from '../../../src/server/model/errors.js';
import { TABLES } from '../../../src/web/languages/tables/index.js';

/** The element of the page, and what it says. */
async function shown(code: 'invalid_token' | 'capacity' | 'tag_in_use', wanted: string[], folder: string) {
  const page = await errorPage(new HttpError(code), wanted, folder);
  return [/<html.*>/.exec(page)?.[0], /<p .*>(.*)<\/p>/.exec(page)?.[1]];
}

t.test('who opens the address of no session is told so in their own language', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'languages'));
  for (const language of ['de', 'ar'] as const)
    await writeFile(join(folder, 'languages', `${language}.json`), JSON.stringify(TABLES[language]));

  t.same(await shown('invalid_token', ['nb', 'de-AT'], folder), [
    '<html lang="de" dir="ltr">',
    TABLES.de.ended_unauthorized,
  ]);
  t.same(await shown('capacity', ['ar'], folder), ['<html lang="ar" dir="rtl">', TABLES.ar.error_capacity]);
  const english = ['<html lang="en" dir="ltr">', new HttpError('invalid_token').message];
  t.same(await shown('invalid_token', ['en', 'de'], folder), english);
  t.same(await shown('invalid_token', ['ja'], folder), english, 'its table cannot be read');
  t.match((await shown('tag_in_use', ['de'], folder))[0], 'lang="en"', 'no viewer gets this one: it has no sentence');
});

t.test('what a message quotes is no part of the page', async t => {
  const error = new HttpError('invalid_token', { message: '<b>&"\'' });
  t.match(await errorPage(error, [], '/nowhere'), '&#60;b&#62;&#38;&#34;&#39;');
});
