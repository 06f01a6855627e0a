/** Writes the OpenAPI document and the web SDK's reference to docs/reference. */
import { writeFile } from 'node:fs/promises';
import { openApiFile } from './lib/openapi-file.js';
import { sdkReference } from './lib/sdk-reference.js';

await writeFile('docs/reference/openapi.json', openApiFile());
await writeFile('docs/reference/sdk-reference.md', await sdkReference());
