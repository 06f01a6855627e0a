// tags: containers, alone
/** compose.yaml: the service on the host's engine, without Node.js on the host. */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { imageName } from '../fixtures/engines/images.js';
import { guard } from '../fixtures/guard.js';
import { freePort } from '../fixtures/networks/free-port.js';
import { until } from '../fixtures/until.js';

const run = promisify(execFile);

/** How Compose is called here: version 2 as a plugin of the Docker client, or by its own name, as version 1 is. */
const COMMAND = [['docker', 'compose'], ['docker-compose']].find(([program = '', ...words]) => {
  try {
    execFileSync(program, [...words, 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});
const skip = COMMAND === undefined && 'Compose is not installed (the package docker-compose)';

const project = `berth-test-${randomBytes(4).toString('hex')}`;
const apiKey = randomBytes(24).toString('base64url');

/** Runs Compose in the repository, and gives its output. */
async function compose(env: Record<string, string>, ...args: string[]): Promise<string> {
  const [program = '', ...words] = COMMAND ?? [];
  const settings = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env };
  return (await run(program, [...words, '--project-name', project, ...args], { env: settings })).stdout;
}

t.test('compose.yaml is valid, with and without the proxy for TLS', { skip }, async t => {
  const services = async (...args: string[]) => (await compose({}, ...args, 'config', '--services')).split('\n');
  for (const name of ['berth', 'images']) t.ok((await services()).includes(name), name);
  t.ok((await services('--profile', 'tls')).includes('proxy'));
});

t.test('the service runs by Compose, and its sessions go on while its container is replaced', { skip }, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'berth-compose-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const image = imageName('service');
  await run('images/build.sh', ['service']);
  const env = {
    BERTH_SERVICE_IMAGE: image,
    BERTH_IMAGE_PREFIX: process.env['BERTH_IMAGE_PREFIX'] || 'berth',
    BERTH_PORT: String(port),
    BERTH_ENV_FILE: join(folder, 'berth.env'),
  };
  const settings = [
    `BERTH_INSTANCE=${project}`,
    `BERTH_API_KEYS=${apiKey}`,
    'BERTH_WARM_POOL=0',
    'BERTH_START_TIMEOUT=60',
  ];
  await writeFile(env.BERTH_ENV_FILE, `# Settings\n${settings.join('\n')}\n`);
  const guardian = guard(
    `docker ps -aq --filter label=com.docker.compose.project=${project} | xargs -r docker rm -f; docker volume rm -f ${project}_data`,
    { PATH: process.env['PATH'] ?? '' },
  );
  t.teardown(async () => {
    await compose(env, 'stop');
    await compose(env, 'run', '--rm', '--no-deps', 'berth', 'node', 'dist/server.js', 'teardown');
    await compose(env, 'down', '--volumes');
    guardian.dismiss();
  });
  // The image for clusters has its data folder for another user, and gives it to a volume that is empty.
  const own = ['-c', 'chown 0:0 /data && touch /data/kept'];
  await run('docker', [
    'run',
    '--rm',
    '--user',
    '0',
    '-v',
    `${project}_data:/data`,
    '--entrypoint',
    'sh',
    image,
    ...own,
  ]);

  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok;
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers, ...sent });
    return (await response.json()) as Record<string, unknown>;
  };
  const up = ['up', '--detach', '--no-build', '--no-deps', '--force-recreate', 'berth'];
  await compose(env, ...up);
  await until('the service is ready', isReady);
  const { session_id: id } = await call('POST', '/v0/vm', { start_url: 'about:blank', width: 640, height: 400 });
  t.match(id, /^[\w-]{22}$/, 'a session starts');

  await compose(env, ...up);
  await until('the service is ready again', isReady);
  t.match(await call('GET', `/v0/vm/${String(id)}`), { termination_date: null }, 'it is still there');
  await call('DELETE', `/v0/vm/${String(id)}`);
  t.match(await call('GET', `/v0/vm/${String(id)}`), { termination_reason: 'request' });
});
