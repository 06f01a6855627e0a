import { build } from 'esbuild';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildAdblock } from './adblock/build.js';

const source = fileURLToPath(new URL('../../src/extensions/', import.meta.url));

interface Manifest {
  background?: { service_worker?: string };
  content_scripts?: { js?: string[] }[];
}

/** Files that extensions get in addition to those in their folder. */
const ADDITIONS: Readonly<Record<string, (outdir: string) => Promise<void>>> = { adblock: buildAdblock };

/**
 * Builds an extension from each folder in src/extensions except those `without`: scripts that the manifest names are
 * bundled from the TypeScript of the same name, everything else is copied.
 */
export async function buildExtensions(outdir: string, without: readonly string[] = []): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  const folders = (await readdir(source, { withFileTypes: true })).filter(
    entry => entry.isDirectory() && !without.includes(entry.name),
  );
  await Promise.all(folders.map(({ name }) => buildExtension(source + name, `${outdir}/${name}`)));
  await Promise.all(folders.map(async ({ name }) => ADDITIONS[name]?.(`${outdir}/${name}`)));
}

async function buildExtension(folder: string, outdir: string): Promise<void> {
  const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf8')) as Manifest;
  const scripts = [manifest.background?.service_worker, ...(manifest.content_scripts ?? []).flatMap(({ js }) => js)];
  const files = new Set(await readdir(folder));
  const entryPoints = scripts
    .flatMap(name => (name === undefined ? [] : [name.replace(/\.js$/, '.ts')]))
    .filter(name => files.has(name));
  await cp(folder, outdir, { recursive: true, filter: path => extname(path) !== '.ts' });
  await build({
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'chrome120',
    minify: true,
    logLevel: 'warning',
    legalComments: 'none',
    entryPoints: [...new Set(entryPoints)].map(name => `${folder}/${name}`),
    outdir,
  });
}
