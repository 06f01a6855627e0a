import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';

const LINK = /\]\(([^)#\s]+)(#[^)\s]*)?\)/g;

t.test('links in the documents lead to files that exist', async t => {
  const pages = (await readdir('docs')).filter(name => name.endsWith('.md')).map(name => join('docs', name));
  for (const page of ['README.md', 'NOTICE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages]) {
    const text = await readFile(page, 'utf8');
    const targets = [...text.matchAll(LINK)].map(match => match[1] ?? '').filter(target => !/^[a-z]+:/.test(target));
    const missing = targets.filter(target => !existsSync(join(dirname(page), target)));
    t.same(missing, [], page);
  }
});
