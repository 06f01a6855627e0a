import { readFile } from 'node:fs/promises';
import t from 'tap';
import { openApiFile } from '../../scripts/lib/openapi-file.js';

t.test('docs/reference/openapi.json is the document that the service serves; `npm run docs` writes it', async t => {
  t.ok((await readFile('docs/reference/openapi.json', 'utf8')) === openApiFile(), 'run `npm run docs`');
});
