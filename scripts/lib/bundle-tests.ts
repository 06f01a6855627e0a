import { readFile, rm } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundledPackages } from './bundled-packages.js';

/** A file next to the service's own that the service starts. */
const EXTENSION_WORKER = 'src/server/extensions/extension-worker.ts';

/**
 * Tests and scripts find files relative to their own source file, so its path is kept. The code under test is made to
 * be bundled and finds its workers next to the bundle.
 */
const places = (folder: string): Plugin => ({
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const isTested = relative(process.cwd(), path).startsWith('src/');
      const place = pathToFileURL(isTested ? `${folder}/bundle.mjs` : path).href;
      return { loader: 'ts', contents: source.replaceAll('import.meta.url', JSON.stringify(place)) };
    });
  },
});

/** The bundle of a test file in `folder`. */
export const bundleOf = (file: string, folder: string): string =>
  resolve(folder, 'files', file.replace(/\.ts$/, '.mjs'));

/**
 * Bundles test files for Node.js into `folder`. Compiling all at once takes a second; compiling in each test's process
 * takes two for each of those that run the whole service.
 */
export async function bundleTests(files: readonly string[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const { plugins = [], ...options } = await bundledPackages();
  const tests = files.map(file => [`files/${file.replace(/\.ts$/, '')}`, file]);
  await build({
    ...options,
    entryPoints: { ...(Object.fromEntries(tests) as Record<string, string>), 'extension-worker': EXTENSION_WORKER },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [...plugins, places(folder)],
  });
}
