/** Assembles the npm package of the client and the web SDK in dist/package from the build. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { packageManifest } from './lib/package-manifest.js';

const FOLDER = 'dist/package';
const FILES = [
  'README.md',
  'LICENSE',
  'NOTICE.md',
  'CHANGELOG.md',
  'dist/client.js',
  'dist/client.js.map',
  'dist/web/sdk.js',
  'dist/web/sdk.js.map',
  'dist/types',
];

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
await cp('docs/reference/openapi.json', `${FOLDER}/openapi.json`);
await Promise.all(FILES.map(file => cp(file, `${FOLDER}/${file}`, { recursive: true })));
const manifest = packageManifest(JSON.parse(await readFile('package.json', 'utf8')) as Record<string, unknown>);
await writeFile(`${FOLDER}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
