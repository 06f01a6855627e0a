// tags: containers, slow
/** The package as an integrator has it: packed, and installed in a project of their own, without any dependency. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { integratorPage } from '../fixtures/pages/integrator.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';
import { openBrowser } from '../fixtures/viewers/browser.js';

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

/** An application on React, whose project is in the fixtures. */
const REACT_APPLICATION = 'test/fixtures/react-application';

/** What such a project installs besides, which the registry need not be asked for here. */
const REACT_PACKAGES = ['react', 'react-dom', '@types', 'vite', '@vitejs'];

const project = await mkdtemp(join(tmpdir(), 'berth-package-'));
t.teardown(() => rm(project, { recursive: true, force: true }));

t.before(async () => {
  await run(process.execPath, [TSC, '-p', 'tsconfig.types.json']);
  await run('node_modules/.bin/tsx', ['scripts/package.ts']);
  await install(project);
});

/** Installs the packed package into a folder. No registry is asked: what is not in the archive cannot be obtained. */
async function install(folder: string): Promise<void> {
  const [tarball = ''] = (await readdir('dist')).filter(name => name.endsWith('.tgz'));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  const options = ['--offline', '--no-audit', '--no-fund', '--no-package-lock', '--cache', join(folder, 'cache')];
  await run('npm', ['install', ...options, resolve('dist', tarball)], { cwd: folder });
}

t.test('no other package is installed with it', async t => {
  const installed = (await readdir(join(project, 'node_modules'))).filter(name => !name.startsWith('.'));
  t.same(installed, ['berth']);
});

t.test('it holds the client, the SDK, the React component and their types, and nothing of the service', async t => {
  const filesIn = async (folder: string) => (await readdir(join(project, 'node_modules/berth', folder))).sort();
  t.same(await filesIn('.'), [
    'CHANGELOG.md',
    'LICENSE',
    'LICENSES.md',
    'NOTICE.md',
    'README.md',
    'client.md',
    'dist',
    'openapi.json',
    'package.json',
    'react.md',
    'sbom.cdx.json',
    'web.md',
  ]);
  t.same(await filesIn('dist'), ['client.js', 'client.js.map', 'react.js', 'react.js.map', 'types', 'web']);
  t.same(await filesIn('dist/web'), ['sdk.js', 'sdk.js.map']);
  t.ok((await filesIn('dist/types/client')).includes('index.d.ts'));
  t.ok((await filesIn('dist/types/web/sdk')).includes('index.d.ts'));
  t.ok((await filesIn('dist/types/web/react')).includes('index.d.ts'));
});

t.test('its bill of materials names what is in the bundles, and the licence of each is there', async t => {
  const read = (file: string) => readFile(join(project, 'node_modules/berth', file), 'utf8');
  const { metadata, components } = JSON.parse(await read('sbom.cdx.json')) as {
    metadata: { component: { name: string } };
    components: { name: string }[];
  };
  t.equal(metadata.component.name, 'berth');
  t.same(
    components.map(({ name }) => name),
    ['openapi-fetch'],
  );
  t.match(await read('LICENSES.md'), /^# openapi-fetch [\d.]+\n\n.*Permission is hereby granted/ms);
});

t.test('the modules without React can be imported where there is none', async t => {
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

t.test('an application on React, built by Vite, shows sessions by the component and by the hook', async t => {
  const application = await mkdtemp(join(tmpdir(), 'berth-react-'));
  t.teardown(() => rm(application, { recursive: true, force: true }));
  await install(application);
  await cp(REACT_APPLICATION, application, { recursive: true });
  for (const name of REACT_PACKAGES)
    await symlink(resolve('node_modules', name), join(application, 'node_modules', name));
  const compiled = await run(process.execPath, [TSC, '-p', application]).catch((error: { stdout: string }) => error);
  t.equal(compiled.stdout, '', 'its types fit');
  // As while it is developed, when React mounts everything twice.
  const env = { ...process.env, NODE_ENV: 'development' };
  await run(process.execPath, [resolve('node_modules/vite/bin/vite.js'), 'build'], { cwd: application, env });
  const [script = ''] = await readdir(join(application, 'dist/assets'));

  const service = await startService(t);
  const { body: session } = await service.api('POST', '/v0/vm', { kiosk: true, width: 640, height: 400 });
  const base = new URL(session.embed_url).pathname;
  const userIds = async () =>
    ((await service.api('GET', `${base}/users`)).body as { user_id: string }[]).map(({ user_id }) => user_id);
  const html = `<!doctype html><div id="root"></div><script>window.embedURL = ${JSON.stringify(session.embed_url)}</script>
<script type="module">${(await readFile(join(application, 'dist/assets', script), 'utf8')).replaceAll('</script', '<\\/script')}</script>`;
  const page = await integratorPage(t, await openBrowser(t), html);
  const shows = (id: string, text: string) =>
    until(`${id} is ${text}`, async () => (await page.textContent(`#${id}`)) === text);

  await shows('hook-state', 'playing');
  await shows('view-state', 'playing');
  await until('both are viewers, each once', async () => (await userIds()).length === 2);
  const before = await userIds();

  await page.click('#open');
  await until('the session has the page that the hook has opened', async () => {
    const { body: tabs } = await service.api('POST', `${base}/tabs.query`, [{}]);
    return tabs.some(({ title }: { title: string }) => title === 'From React');
  });

  await page.click('#mute');
  await shows('volume', '0');
  t.same(await userIds(), before, 'settings are changed without joining anew');

  await page.click('#hide');
  await until('what is no longer rendered has left', async () => (await userIds()).length === 1);

  await service.api('DELETE', `/v0/vm/${session.session_id}`);
  await shows('ended', 'request');
});
