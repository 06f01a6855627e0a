/** Writes the web SDK's reference to docs/. */
import { writeFile } from 'node:fs/promises';
import { sdkReference } from './lib/sdk-reference.js';

await writeFile('docs/sdk-reference.md', await sdkReference());
