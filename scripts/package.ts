/**
 * Assembles the npm package of the client, the web SDK and the React component in dist/package from the build, and packs
 * it into dist/. In a release workflow GITHUB_SERVER_URL and GITHUB_REPOSITORY say where it comes from.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { packageManifest } from './lib/package-manifest.js';
import { bundledPackages, type Manifest, packageBom } from './lib/sbom.js';
import { fail } from './lib/service.js';
import { output } from './lib/steps.js';

const FOLDER = 'dist/package';
const MODULES = ['dist/client.js', 'dist/web/sdk.js', 'dist/react.js'];
const FILES = ['LICENSE', 'NOTICE.md', 'CHANGELOG.md', ...MODULES, ...MODULES.map(file => `${file}.map`), 'dist/types'];

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
await cp('docs/package', FOLDER, { recursive: true });
await cp('docs/reference/openapi.json', `${FOLDER}/openapi.json`);
await Promise.all(FILES.map(file => cp(file, `${FOLDER}/${file}`, { recursive: true })));
const repository = JSON.parse(await readFile('package.json', 'utf8')) as Manifest & Record<string, unknown>;
const manifest = packageManifest(repository, server && name ? `${server}/${name}` : undefined);
await writeJson('package.json', manifest);
const bundled = bundledPackages(await Promise.all(MODULES.map(file => readFile(`${file}.map`, 'utf8'))));
const manifests = await Promise.all(bundled.map(manifestIn));
await writeJson('sbom.cdx.json', packageBom(manifest, manifests, new Date()));
const licences = manifests.map(({ name, version }, i) => `# ${name} ${version}\n\n${licenceIn(bundled[i] ?? '')}`);
await writeFile(
  `${FOLDER}/LICENSES.md`,
  `Licences of what the modules contain of others.\n\n${licences.join('\n\n')}\n`,
);

for (const old of (await readdir('dist')).filter(name => name.endsWith('.tgz'))) await rm(`dist/${old}`);
const packed = await output('npm', ['pack', `./${FOLDER}`, '--silent', '--pack-destination', 'dist']);
if (packed === null) fail('npm pack failed, see above.');
console.log(`berth: dist/${packed.trim()}`);

async function manifestIn(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as Manifest;
}

/** The text of a package's licence, which comes with each copy. */
function licenceIn(folder: string): string {
  const file = readdirSync(folder).find(name => /^(license|licence)(\.\w+)?$/i.test(name));
  if (file === undefined) return fail(`${folder} has no file with its licence.`);
  return readFileSync(`${folder}/${file}`, 'utf8').trim();
}

async function writeJson(name: string, content: unknown): Promise<void> {
  await writeFile(`${FOLDER}/${name}`, `${JSON.stringify(content, null, 2)}\n`);
}
