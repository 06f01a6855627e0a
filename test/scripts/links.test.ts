/** What the documents name exists: files, sections, pictures, commands. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';

const LINK = /\]\(([^)#\s]*)(#[^)\s]*)?\)/g;
const FENCED = /^```.*\n([^]*?)^```/gm;
const INLINE = /`([^`\n]+)`/g;
/** Paths from the root, but for patterns. */
const PATH = /`((?:bench|deploy|docs|images|schemas|scripts|src|test)\/[\w./-]+)`/g;
/** Whoever reads on a phone pays for it. */
const PICTURE_BYTES = 200_000;

const docs = (await readdir('docs', { recursive: true }))
  .filter(name => name.endsWith('.md'))
  .map(name => join('docs', name));
const names = [
  'README.md',
  'NOTICE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'examples/README.md',
  ...docs,
];
const pages = new Map<string, string>();
for (const name of names) pages.set(name, await readFile(name, 'utf8'));

/** The parts of a page that links may name, as GitHub calls them. */
function sections(page: string): Set<string> {
  const text = page.replaceAll(FENCED, '');
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\]\([^)]*\)/g, '')
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)]);
}

/** Commands that a page shows, one a line. */
function commands(page: string): string[] {
  const fenced = [...page.matchAll(FENCED)].flatMap(([, code = '']) => code.split('\n'));
  return [...fenced, ...[...page.replaceAll(FENCED, '').matchAll(INLINE)].map(([, code = '']) => code)];
}

/** What stands after a program in each command that begins with it, settings before it and options aside. */
const argumentsOf = (page: string, program: string) =>
  commands(page).flatMap(line => {
    const words = new RegExp(`^(?:[A-Z0-9_]+=\\S+ )*${program} ([^#]*)`).exec(line)?.[1]?.trim().split(/\s+/);
    return words ? [words.filter(word => /^[a-z][a-z-]*$/.test(word))] : [];
  });

t.test('links in the documents lead to existing files and sections', t => {
  for (const [page, text] of pages) {
    const broken = [...text.replaceAll(FENCED, '').matchAll(LINK)].flatMap(([link, file = '', section]) => {
      if (/^[a-z]+:/.test(file)) return [];
      const path = file === '' ? page : normalize(join(dirname(page), file));
      const target = pages.get(path);
      const isThere = existsSync(path) && (!section || !target || sections(target).has(section.slice(1)));
      return isThere ? [] : [link];
    });
    t.same(broken, [], page);
  }
  t.end();
});

t.test('files and folders that the documents name exist', t => {
  for (const [page, text] of pages) {
    const named = [...text.replaceAll(FENCED, '').matchAll(PATH)].map(([, path = '']) => path);
    t.same(
      named.filter(path => !existsSync(path)),
      [],
      page,
    );
  }
  t.end();
});

t.test('the documented commands exist', async t => {
  const makefile = await readFile('Makefile', 'utf8');
  const targets = new Set([...makefile.matchAll(/^([a-z-]+):/gm)].map(([, target = '']) => target));
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  let seen = 0;
  for (const [page, text] of pages) {
    const made = argumentsOf(text, 'make').flat();
    const run = argumentsOf(text, 'npm run').flatMap(([script]) => script ?? []);
    seen += made.length + run.length;
    t.same(
      made.filter(target => !targets.has(target)),
      [],
      `${page}: make`,
    );
    t.same(
      run.filter(script => !(script in scripts)),
      [],
      `${page}: npm run`,
    );
  }
  t.ok(seen > 20, 'commands are found');
});

t.test('pictures are used, and are small', async t => {
  const all = [...pages.values()].join('\n');
  for (const picture of await readdir('docs/images')) {
    t.ok(all.includes(`images/${picture})`), `${picture} is shown`);
    t.ok((await stat(join('docs/images', picture))).size <= PICTURE_BYTES, `${picture} is small`);
  }
});
