import { readFile } from 'node:fs/promises';
import t from 'tap';
import { HELPER_HEADER, helperHeader } from '../../scripts/lib/helper-header.js';

t.test('the header of the display helper declares the messages as they are', async t => {
  t.equal(await readFile(HELPER_HEADER, 'utf8'), helperHeader(), '`npm run generate` makes it');
});
