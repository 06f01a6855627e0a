/** Whatever viewers read is in the tables of src/web/languages, and nowhere else. */
import { readdir, readFile } from 'node:fs/promises';
import t from 'tap';
import { textsInCode } from '../../fixtures/sentences/in-code.js';
import { textsInHtml } from '../../fixtures/sentences/in-html.js';

const [WEB, TABLES] = ['src/web', 'src/web/languages'];

/** What is the same in all languages: it is printed on pads, or a program. */
const COMMON = /^(Select|Start|SELECT|START|curl .*|  -H "Authorization: .*)$/;

/** The same text in all languages: the name, and what is said without JavaScript. */
const UNTRANSLATED = /^(Berth|Berth shows .* JavaScript.*|Without JavaScript.*)$/;

/** A file that is there for this test only. */
const STRAY = `${WEB}/player/page/stray.ts`;
const STRAY_CODE = `
  import { element } from '../../lib/dom.js';
  import { notice } from './notice.js';
  const NAMES = { a: 'first', b: 'second' } as const;
  const box = element('div', { title: 'third' }, 'fourth');
  const named = (name: string) => box.setAttribute('aria-label', name);
  const labelOf = (on: boolean) => on ? 'fifth' : \`sixth \${NAMES.a}\`;
  interface Part { readonly text: string }
  const PARTS: readonly Part[] = [{ text: 'seventh' }];
  named('eighth');
  box.append(labelOf(true), ...PARTS.map(({ text }) => text));
  box.textContent = ['ninth'].join(', ');
  for (const key of ['a', 'b'] as const) box.title = NAMES[key];
  notice('tenth');
  export const SOMEWHERE = 'This is an eleventh sentence';
  export const fail = () => { throw new TypeError('Developers read this one.'); };
  box.className = 'not read by anybody';
`;

const found = textsInCode(WEB, TABLES, { [STRAY]: STRAY_CODE });

t.test('no code of the web client has sentences of its own', async t => {
  t.same(
    found.filter(({ file, text }) => file !== STRAY && !COMMON.test(text)),
    [],
  );
});

t.test('sentences in code are found wherever they come from', async t => {
  t.same(
    new Set(found.filter(({ file }) => file === STRAY).map(({ text }) => text)),
    new Set([
      ...['first', 'second', 'third', 'fourth', 'fifth', 'sixth {}', 'seventh', 'eighth', 'ninth', 'tenth'],
      'This is an eleventh sentence',
    ]),
  );
});

t.test('the pages show what the table has in English', async t => {
  const pages = (await readdir(`${WEB}/static`)).filter(name => name.endsWith('.html'));
  t.same(pages, ['home.html', 'player.html']);
  for (const page of pages) {
    const found = textsInHtml(await readFile(`${WEB}/static/${page}`, 'utf8'));
    t.same(
      found.filter(text => !UNTRANSLATED.test(text)),
      [],
      page,
    );
  }
  t.same(
    textsInHtml(
      '<body><h1 data-say="cancel">Cancel</h1><p data-say="cancel">Stop</p><p>Stray <b>words</b></p><nav aria-label="Site"></nav></body>',
    ),
    ['Stop', 'words', 'Stray', 'Site'],
  );
});

t.test('style sheets have no words', async t => {
  for (const name of await readdir(`${WEB}/static`)) {
    if (!name.endsWith('.css')) continue;
    const css = await readFile(`${WEB}/static/${name}`, 'utf8');
    for (const [, text = ''] of css.matchAll(/\bcontent:\s*["']([^"']*)["']/g)) t.notMatch(text, /\p{L}/u, name);
  }
});
