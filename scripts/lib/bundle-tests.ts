import { readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** Where the bundles are. */
const FOLDER = '.tap/unit';

/** Started by the service as a file beside its own. */
const WORKERS = { 'extension-worker': 'src/server/extensions/extension-worker.ts' };

/**
 * Tests and scripts find files by their own place, which stays the source's. The code under test is made to be bundled
 * and finds its workers beside the bundle.
 */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const isTested = relative(process.cwd(), path).startsWith('src/');
      const place = pathToFileURL(isTested ? `${FOLDER}/bundle.mjs` : path).href;
      return { loader: 'ts', contents: source.replaceAll('import.meta.url', JSON.stringify(place)) };
    });
  },
};

/** The bundle of a test file. */
export const bundleOf = (file: string): string => `${FOLDER}/${file.replace(/\.ts$/, '.mjs')}`;

/**
 * Bundles test files that run in Node.js. Compiling all at once takes a second; compiling in each test's process takes
 * two for each of those that run the whole service.
 */
export async function bundleTests(files: readonly string[]): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true });
  const entryPoints = Object.fromEntries(files.map(file => [file.replace(/\.ts$/, ''), file]));
  await build({
    entryPoints: { ...entryPoints, ...WORKERS },
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [places],
  });
}
