/** The package as an integrator has it: packed, unpacked in a project of their own, without any dependency. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project]);
  const [tarball = ''] = (await readdir(project)).filter(name => name.endsWith('.tgz'));
  const folder = join(project, 'node_modules/berth');
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(project, tarball), '-C', folder, '--strip-components=1']);
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
});

t.test('it holds the client, the SDK and their types, and nothing of the service', async t => {
  const files = await readdir(join(project, 'node_modules/berth'), { recursive: true });
  for (const file of [
    'dist/client.js',
    'dist/web/sdk.js',
    'dist/types/client/index.d.ts',
    'dist/types/web/sdk/index.d.ts',
    'README.md',
    'LICENSE',
  ]) {
    t.ok(files.includes(file), file);
  }
  t.same(
    files.filter(file => /^(src|test|images|schemas|dist\/(server|agent))/.test(file)),
    [],
  );
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
