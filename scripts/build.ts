/** Bundles the service, the agent, its extensions and the web client into dist/, and makes discs for the image. */
import { rm } from 'node:fs/promises';
import { build, type BuildOptions } from 'esbuild';
import { bundledPackages } from './lib/bundled-packages.js';
import { buildDiscs } from './lib/discs.js';
import { buildExtensions } from './lib/extensions.js';
import { PackageError } from './lib/npm-package.js';
import { buildReact, buildWeb } from './lib/web.js';

const common: BuildOptions = {
  bundle: true,
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  legalComments: 'none',
};
const node: BuildOptions = { ...common, platform: 'node', target: 'node20' };

// Their names change with their contents.
await rm('dist/chunks', { recursive: true, force: true });
await Promise.all([
  build({
    ...common,
    ...(await bundledPackages()),
    entryPoints: { server: 'src/server/main.ts', 'extension-worker': 'src/server/extensions/extension-worker.ts' },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
  }),
  build({
    ...node,
    entryPoints: { load: 'src/agent/load.ts', main: 'src/agent/main.ts' },
    outdir: 'dist/agent',
    // Node 20 keeps no compiled code of modules.
    format: 'cjs',
    // jsonc-parser's CommonJS build requires its modules in a way that cannot be bundled.
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.cjs' },
  }),
  buildExtensions('dist/agent/extensions', process.env['BERTH_WITHOUT_ADBLOCK'] ? ['adblock'] : []).catch(explain),
  // Self-contained: integrators install no dependencies for it.
  build({ ...node, entryPoints: { client: 'src/client/index.ts' }, outdir: 'dist' }),
  buildDiscs('dist/discs'),
  buildWeb('dist/web'),
  buildReact('dist/react.js'),
]);

/** Only the ad blocker needs packages other than the npm dependencies. */
function explain(error: unknown): never {
  if (!(error instanceof PackageError)) throw error;
  console.error(`berth: ${error.message} BERTH_WITHOUT_ADBLOCK=1 builds without the ad blocker.`);
  process.exit(1);
}
