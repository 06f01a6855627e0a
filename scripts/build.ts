/** Bundles the service, the agent, its extensions and the web client into dist/. */
import { build, type BuildOptions } from 'esbuild';
import { buildExtensions } from './lib/extensions.js';
import { buildWeb } from './lib/web.js';

const common: BuildOptions = { bundle: true, format: 'esm', sourcemap: true, logLevel: 'warning', legalComments: 'none' };
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
    // ws and ajv are CommonJS and call require for Node's own modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outExtension: { '.js': '.mjs' },
  }),
  buildExtensions('dist/agent/extensions', process.env['BERTH_WITHOUT_ADBLOCK'] ? ['adblock'] : []),
  // What it needs is in it: integrators install no dependency for it.
  build({ ...node, entryPoints: { client: 'src/client/index.ts' }, outdir: 'dist' }),
  buildWeb('dist/web'),
]);
