/** Bundles the service, the agent, its extensions and the web client into dist/. */
import { build, type BuildOptions } from 'esbuild';
import { buildExtensions } from './lib/extensions.js';
import { PackageError } from './lib/npm-package.js';
import { buildWeb } from './lib/web.js';

const common: BuildOptions = {
  bundle: true,
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  legalComments: 'none',
};
const node: BuildOptions = { ...common, platform: 'node', target: 'node20' };

await Promise.all([
  build({
    ...node,
    entryPoints: { server: 'src/server/main.ts', 'extension-worker': 'src/server/extensions/extension-worker.ts' },
    outdir: 'dist',
    packages: 'external',
  }),
  build({
    ...node,
    entryPoints: { main: 'src/agent/main.ts' },
    outdir: 'dist/agent',
    // jsonc-parser's CommonJS build requires its modules in a way that cannot be bundled.
    mainFields: ['module', 'main'],
    // ws and ajv are CommonJS and use require for Node's own modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outExtension: { '.js': '.mjs' },
  }),
  buildExtensions('dist/agent/extensions', process.env['BERTH_WITHOUT_ADBLOCK'] ? ['adblock'] : []).catch(explain),
  // Self-contained: integrators install no dependencies for it.
  build({ ...node, entryPoints: { client: 'src/client/index.ts' }, outdir: 'dist' }),
  buildWeb('dist/web'),
]);

/** Only the ad blocker needs packages other than the npm dependencies. */
function explain(error: unknown): never {
  if (!(error instanceof PackageError)) throw error;
  console.error(`berth: ${error.message} BERTH_WITHOUT_ADBLOCK=1 builds without the ad blocker.`);
  process.exit(1);
}
