/** Writes the reference of the web SDK into docs/. */
import { writeFile } from 'node:fs/promises';
import { sdkReference } from './lib/sdk-reference.js';

await writeFile('docs/sdk-reference.md', await sdkReference());
