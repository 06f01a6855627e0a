import { readFile } from 'node:fs/promises';
import type { BuildOptions, Plugin } from 'esbuild';

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
  'tap',
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

/** In two parts, since the bundles of tests replace `import.meta` and `url` where they stand together. */
const META = 'import.meta';

/** CommonJS packages in a bundle require Node's own modules. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${META}.url);`;

/** How programs for Node.js are bundled with those of their packages that are worth it; the others are loaded. */
export async function bundledPackages(): Promise<BuildOptions> {
  const { dependencies, devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    object
  >;
  const loaded = Object.keys({ ...dependencies, ...devDependencies }).filter(name => !BUNDLED.includes(name));
  return {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // What is imported only when needed stays apart.
    splitting: true,
    external: [...loaded, ...OTHER_DRIVERS],
    plugins: [unused],
    banner: { js: REQUIRE },
  };
}
