/** Writes the OpenAPI document and the web SDK's reference to docs/. */
import { writeFile } from 'node:fs/promises';
import { openApiFile } from './lib/openapi-file.js';
import { sdkReference } from './lib/sdk-reference.js';

await writeFile('docs/openapi.json', openApiFile());
await writeFile('docs/sdk-reference.md', await sdkReference());
