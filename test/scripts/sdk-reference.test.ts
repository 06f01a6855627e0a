import { readFile } from 'node:fs/promises';
import t from 'tap';
import { sdkReference } from '../../scripts/lib/sdk-reference.js';

t.test("the web SDK's reference matches its types; `npm run docs` writes it", async t => {
  t.equal(await readFile('docs/reference/sdk-reference.md', 'utf8'), await sdkReference());
});
