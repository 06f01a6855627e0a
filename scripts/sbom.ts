/** Writes software bills of materials of the npm package and of the images, into dist/sbom/. */
import { mkdir, writeFile } from 'node:fs/promises';
import { DPKG_FORMAT, imageBom } from './lib/sbom.js';
import { fail } from './lib/service.js';
import { output } from './lib/steps.js';

const FOLDER = 'dist/sbom';
const prefix = process.env['BERTH_IMAGE_PREFIX'] || 'berth';

await mkdir(FOLDER, { recursive: true });
await write('npm', await npmBom());
for (const image of ['chromium', 'console']) await write(image, await bomOf(image));

async function npmBom(): Promise<unknown> {
  const text = await output('npm', ['sbom', '--omit=dev', '--sbom-format=cyclonedx']);
  if (text === null) fail('npm sbom failed: it needs npm 10 or newer, and what `make build` installs.');
  return JSON.parse(text);
}

async function bomOf(image: string): Promise<unknown> {
  const name = `${prefix}/${image}`;
  const id = await output('docker', ['image', 'inspect', '--format', '{{.Id}}', name]);
  if (id === null) fail(`the image ${name} is not there: make images builds it.`);
  const query = ['run', '--rm', '--network', 'none', '--entrypoint', 'dpkg-query', name, '-W', '-f', DPKG_FORMAT];
  const packages = await output('docker', query);
  if (packages === null) fail(`the packages of the image ${name} could not be listed.`);
  return imageBom(name, id.trim(), packages, new Date());
}

async function write(name: string, bom: unknown): Promise<void> {
  const file = `${FOLDER}/${name}.cdx.json`;
  await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`berth: ${file}`);
}
