import { readFile } from 'node:fs/promises';
import t from 'tap';
import { helperHeaders } from '../../scripts/lib/helper-header.js';

t.test("the display helper's headers declare the messages as in TypeScript", async t => {
  for (const [path, header] of Object.entries(helperHeaders()))
    t.equal(await readFile(path, 'utf8'), header, `\`npm run generate\` makes ${path}`);
});
