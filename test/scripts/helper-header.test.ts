import { readFile } from 'node:fs/promises';
import t from 'tap';
import { HELPER_HEADER, helperHeader } from '../../scripts/lib/helper-header.js';

t.test("the display helper's header declares the messages as in TypeScript", async t => {
  t.equal(await readFile(HELPER_HEADER, 'utf8'), helperHeader(), '`npm run generate` makes it');
});
