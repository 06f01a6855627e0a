// tags: containers
/** The package as an integrator has it: packed, and installed in a project of their own, without any dependency. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');

const CONSUMER = `
import { BerthClient, BerthError, type SessionCreated, type StartOptions } from 'berth/client';
import Berth from 'berth/web';

const options: StartOptions = { width: 800, height: 600, quality: { mode: 'sharp' }, timeout: { absolute: null } };
const berth = new BerthClient({ url: 'http://localhost:8080', apiKey: 'a-key' });
export async function start(): Promise<SessionCreated | string> {
  for await (const { id, creation_date } of berth.list()) console.log(id, creation_date);
  return berth.start(options).catch((error: unknown) => (error instanceof BerthError ? error.code : 'other'));
}
export const save = (url: string, token: string) => berth.session(url, token).console.saveState(1);
// @ts-expect-error: no such field
void berth.start({ colour: 'red' });
export const mount = (container: HTMLDivElement, url: string) => Berth(container, url, { volume: 0.5 });
// @ts-expect-error: not a number
export const wrong = (container: HTMLDivElement, url: string) => Berth(container, url, { volume: 'loud' });
`;

const project = await mkdtemp(join(tmpdir(), 'berth-package-'));
t.teardown(() => rm(project, { recursive: true, force: true }));

t.before(async () => {
  await run(process.execPath, [TSC, '-p', 'tsconfig.types.json']);
  await run('node_modules/.bin/tsx', ['scripts/package.ts']);
  await run('npm', ['pack', './dist/package', '--silent', '--pack-destination', project]);
  const [tarball = ''] = (await readdir(project)).filter(name => name.endsWith('.tgz'));
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
  // No registry is asked: a package that is not in this archive cannot be obtained.
  const cache = join(project, 'cache');
  const options = ['--offline', '--no-audit', '--no-fund', '--no-package-lock', '--cache', cache];
  await run('npm', ['install', ...options, `./${tarball}`], { cwd: project });
});

t.test('no other package is installed with it', async t => {
  const installed = (await readdir(join(project, 'node_modules'))).filter(name => !name.startsWith('.'));
  t.same(installed, ['berth']);
});

t.test('it holds the client, the SDK and their types, and nothing of the service', async t => {
  const filesIn = async (folder: string) => (await readdir(join(project, 'node_modules/berth', folder))).sort();
  t.same(await filesIn('.'), [
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE.md',
    'README.md',
    'dist',
    'openapi.json',
    'package.json',
  ]);
  t.same(await filesIn('dist'), ['client.js', 'client.js.map', 'types', 'web']);
  t.same(await filesIn('dist/web'), ['sdk.js', 'sdk.js.map']);
  t.ok((await filesIn('dist/types/client')).includes('index.d.ts'));
  t.ok((await filesIn('dist/types/web/sdk')).includes('index.d.ts'));
});

t.test('both modules can be imported', async t => {
  await writeFile(
    join(project, 'run.mjs'),
    `import { BerthClient, BerthError } from 'berth/client';
import Berth from 'berth/web';
const berth = new BerthClient({ url: 'http://127.0.0.1:1', apiKey: 'a-key', retries: 0 });
const failed = await berth.start().then(() => false, () => true);
console.log([typeof Berth, typeof BerthError, failed].join(' '));`,
  );
  const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: project });
  t.equal(stdout.trim(), 'function function true');
});

t.test('types are complete and strict', async t => {
  await writeFile(join(project, 'consumer.ts'), CONSUMER);
  const options = {
    strict: true,
    noEmit: true,
    module: 'NodeNext',
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: [],
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }));
  const { stdout } = await run(process.execPath, [TSC, '-p', project]).catch((error: { stdout: string }) => error);
  t.equal(stdout, '');
});
