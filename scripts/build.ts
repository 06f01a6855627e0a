/** Bundles the service, the agent, its extensions and the web client into dist/, and makes discs for the image. */
import { readFile, rm } from 'node:fs/promises';
import { build, type BuildOptions, type Plugin } from 'esbuild';
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

/** CommonJS packages in a bundle require Node's own modules. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Dependencies with so many modules that loading them one by one takes as long as all the rest of a start. */
const BUNDLED = [
  '@kubernetes/client-node',
  'ajv',
  'ajv-formats',
  'dockerode',
  'express',
  'express-rate-limit',
  'helmet',
  'knex',
  'pino',
  'prom-client',
  'ws',
];

/** Drivers of databases that the service does not use; knex loads them on demand. */
const OTHER_DRIVERS = [
  ...['better-sqlite3', 'libsql', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'tedious'],
  ...['pg-native', 'pg-query-stream'],
];

/** What dockerode needs for engines behind SSH and for builds, none of which the service has: half of its modules. */
const unused: Plugin = {
  name: 'unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(ssh2|@grpc\/(grpc-js|proto-loader))$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: object };

// Their names change with their contents.
await rm('dist/chunks', { recursive: true, force: true });
await Promise.all([
  build({
    ...node,
    entryPoints: { server: 'src/server/main.ts', 'extension-worker': 'src/server/extensions/extension-worker.ts' },
    outdir: 'dist',
    // What is imported only when needed stays apart.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: [...Object.keys(dependencies).filter(name => !BUNDLED.includes(name)), ...OTHER_DRIVERS],
    plugins: [unused],
    banner: { js: REQUIRE },
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
