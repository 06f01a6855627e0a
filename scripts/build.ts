/** Bundles the service, the agent and the web client into dist/. */
import { build, type BuildOptions } from 'esbuild';
import { cp, mkdir } from 'node:fs/promises';

const common: BuildOptions = { bundle: true, format: 'esm', sourcemap: true, logLevel: 'warning', legalComments: 'none' };
const node: BuildOptions = { ...common, platform: 'node', target: 'node20' };

await Promise.all([
  build({ ...node, entryPoints: { server: 'src/server/main.ts' }, outdir: 'dist', packages: 'external' }),
  build({
    ...node,
    entryPoints: { main: 'src/agent/main.ts' },
    outdir: 'dist/agent',
    // ws and ajv are CommonJS and call require for Node's own modules.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outExtension: { '.js': '.mjs' },
  }),
  build({
    ...common,
    platform: 'browser',
    target: ['chrome94', 'firefox115', 'safari16'],
    minify: true,
    splitting: true,
    entryPoints: { player: 'src/web/player/main.ts', sdk: 'src/web/sdk/index.ts' },
    outdir: 'dist/web',
    chunkNames: 'chunk-[hash]',
  }),
]);
await mkdir('dist/web', { recursive: true });
await cp('src/web/static', 'dist/web', { recursive: true });
