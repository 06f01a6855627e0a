// tags: containers, cluster
/**
 * A thousand sessions as Pods on hollow nodes, which are nodes in the API server alone: what of them costs the service,
 * and what it asks of the API server, grows no faster than they do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { startService } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

const SESSIONS = 1000;
const NODES = 10;
/** Calls of the service's interface under way at once. */
const AT_ONCE = 32;
const MIB_PER_SESSION = 0.3;
/** The API server ends each watch after so long, and the next one begins where it ended. */
const WATCH_S = 20;

const cluster = await testCluster(t, { ownNodes: true, hollow: true });
const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
t.teardown(() => rm(folder, { recursive: true }));
await hollowNodes();
const callsFile = join(folder, 'calls');
const service = await startService(t, {
  ...cluster.env,
  BERTH_EGRESS: 'open',
  BERTH_KUBERNETES_REACH: 'pod',
  BERTH_KUBERNETES_NODES: 'NA=berth-test/hollow=true',
  BERTH_MAX_SESSIONS: String(SESSIONS),
  BERTH_TEST_CALLS: callsFile,
  NODE_OPTIONS: '--import=./test/fixtures/kubernetes/count-calls.mjs',
});

async function hollowNodes(): Promise<void> {
  const program = ['--import=tsx', 'test/fixtures/kubernetes/hollow-nodes.ts', cluster.namespace, String(NODES)];
  const child = spawn(process.execPath, program, {
    env: { ...process.env, KUBECONFIG: cluster.admin },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(async () => {
    child.kill();
    await cluster.kubectl('delete', 'nodes', '--selector=berth-test/hollow=true', '--wait=false');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  if (!line.toString().startsWith('ready')) throw new Error(line.toString());
}

/** Does something for each, a few at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** MiB of memory that the service has. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${await service.dataFile('test.pid')}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** What the service has asked the API server so far, as methods and addresses. */
const callsOfApiServer = async () =>
  (await readFile(callsFile, 'utf8')).split('\n').filter(call => /^\w+ \/api/.test(call));

/** IDs of the sessions that run. */
async function running(): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const { results } = (await service.api('GET', `/v0/vm${after}`)).body as { results: { id: string }[] };
    if (results.length === 0) return ids;
    ids.push(...results.map(({ id }) => id));
    after = `?after_id=${ids.at(-1)}`;
  }
}

t.test(`${SESSIONS} sessions start, stay and end`, async t => {
  const before = await memory();
  const callsBefore = (await callsOfApiServer()).length;
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const started: string[] = [];
  await each([...Array(SESSIONS).keys()], async () => {
    const { status, body } = await service.api('POST', '/v0/vm');
    if (status === 201) started.push(body.session_id as string);
    else t.fail(JSON.stringify(body));
  });
  t.comment(`${SESSIONS} starts in ${seconds().toFixed(0)} s`);
  t.same((await running()).sort(), [...started].sort(), 'all of them run');
  t.equal((await cluster.pods()).length, SESSIONS);

  const growth = (await memory()) - before;
  t.comment(`${growth.toFixed(0)} MiB more than before`);
  t.ok(growth / SESSIONS <= MIB_PER_SESSION, `${(growth / SESSIONS).toFixed(2)} MiB for each session`);

  const calls = (await callsOfApiServer()).slice(callsBefore);
  const of = (test: RegExp) => calls.filter(call => test.test(call)).length;
  const [lists, watches, made] = [of(/^GET .*\/pods\?(?!.*watch=)/), of(/^GET .*watch=true/), of(/^POST .*\/pods\b/)];
  t.comment(`${calls.length} calls of the API server: ${made} Pods made, ${watches} watches, ${lists} lists`);
  t.equal(lists, 0, 'what runs is not listed again');
  t.ok(watches <= 1 + seconds() / WATCH_S, `one watch at a time, ${watches} in ${seconds().toFixed(0)} s`);
  t.equal(made, SESSIONS);

  await each(started, async id => void (await service.api('DELETE', `/v0/vm/${id}`)));
  t.same(await running(), []);
  await until('their Pods are gone', async () => (await cluster.pods()).length === 0);
  t.comment(`all ended after ${seconds().toFixed(0)} s`);
});
