import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';
import t from 'tap';
import { packageManifest } from '../../scripts/lib/package-manifest.js';
import type { Manifest as PackageManifest } from '../../scripts/lib/sbom.js';

interface Manifest extends PackageManifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  [other: string]: unknown;
}

const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
const runtime = Object.keys(manifest.dependencies);
const development = Object.keys(manifest.devDependencies);

/** What is loaded by its name: the database client, by knex, and the checks that tests run in pages. */
const LOADED_BY_NAME = new Set(['sqlite3', 'axe-core']);

/** What applications that use a part of the npm package have themselves. */
const PEERS = Object.keys(packageManifest(manifest).peerDependencies);

/** Types that come with @types/express; there is no package behind the name. */
const TYPES_ONLY = new Set(['express-serve-static-core']);

/** Packages that modules in these folders import, types included. */
async function imported(...folders: string[]): Promise<Set<string>> {
  const packages = new Set<string>();
  for (const folder of folders) {
    const files = (await readdir(folder, { recursive: true })).filter(name => /\.(ts|js|mjs)$/.test(name));
    for (const file of files) {
      const { importedFiles } = ts.preProcessFile(await readFile(`${folder}/${file}`, 'utf8'));
      for (const { fileName } of importedFiles) {
        const name = /^(@[^/]+\/)?[^./][^/:]*(?=\/|$)/.exec(fileName)?.[0];
        if (name !== undefined && name !== manifest['name'] && !TYPES_ONLY.has(name)) packages.add(name);
      }
    }
  }
  return packages;
}

/** What names programs, and what programs load: the scripts, and the settings in the repository's root. */
async function settingsAndScripts(): Promise<string> {
  const root = (await readdir('.', { withFileTypes: true })).filter(entry => entry.isFile()).map(({ name }) => name);
  const settings = root.filter(name => !/^package(-lock)?\.json$|\.md$|^LICENSE$/.test(name));
  const scripts = (await readdir('scripts', { recursive: true })).filter(name => /\.(ts|mjs|sh)$/.test(name));
  const texts = [...settings, ...scripts.map(name => `scripts/${name}`)].map(path => readFile(path, 'utf8'));
  return [JSON.stringify(manifest['scripts']), ...(await Promise.all(texts))].join('\n');
}

async function programsOf(name: string): Promise<string[]> {
  const { bin } = JSON.parse(await readFile(`node_modules/${name}/package.json`, 'utf8')) as {
    bin?: string | Record<string, string>;
  };
  return typeof bin === 'object' ? Object.keys(bin) : [];
}

const bySource = await imported('src');
const byTools = await imported('scripts', 'test', 'bench', 'examples');

t.test('what service, agent and clients import is a dependency, and nothing else is', async t => {
  t.ok(bySource.size > 15, 'imports were found');
  t.same(
    [...bySource].filter(name => !runtime.includes(name) && !PEERS.includes(name)),
    [],
  );
  t.same(
    runtime.filter(name => !bySource.has(name) && !LOADED_BY_NAME.has(name)),
    [],
  );
});

t.test('what only builds or tests import is a development dependency, and none is unused', async t => {
  t.same(
    [...byTools].filter(name => !runtime.includes(name) && !development.includes(name)),
    [],
  );
  const texts = await settingsAndScripts();
  const unused: string[] = [];
  for (const name of development) {
    if (byTools.has(name) || LOADED_BY_NAME.has(name) || name.startsWith('@types/')) continue;
    const names = [name, ...(await programsOf(name))];
    if (!names.some(name => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(texts))) unused.push(name);
  }
  t.same(unused, []);
});

t.test('no package is replaced by another, and no registry is named', async t => {
  t.notOk('overrides' in manifest);
  t.notMatch(JSON.stringify(manifest), /"npm:/, 'none under the name of another');
  const lock = await readFile('package-lock.json', 'utf8');
  t.notMatch(lock, /"resolved"/);
});
