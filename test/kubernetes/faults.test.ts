// tags: containers, cluster
/** What becomes of sessions when parts of a real cluster fail. */
import t from 'tap';
import { setTimeout as pause } from 'node:timers/promises';
import { docker } from '../fixtures/engines/docker.js';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { startService, troubles, type Service } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

const cluster = await testCluster(t, { ownNodes: true });
const [control = '', worker = ''] = cluster.nodes;
const service = await startService(t, { ...cluster.env, BERTH_KUBERNETES_NODES: 'NA=kubernetes.io/hostname=node2' });

const start = async (body: object = {}, by: Service = service): Promise<string> => {
  const answer = await by.api('POST', '/v0/vm', body);
  if (answer.status !== 201) throw new Error(`not started: ${JSON.stringify(answer.body)}\n${by.log()}`);
  return answer.body.session_id as string;
};
const record = async (id: string) => (await service.api('GET', `/v0/vm/${id}`)).body;
const isRunning = async (id: string) => (await record(id)).termination_date === null;
const ended = (id: string, ms: number) =>
  until(
    () => `the session has ended:\n${service.log().slice(-2000)}`,
    async () => !(await isRunning(id)),
    ms,
  );
const isReady = async () => (await troubles(service)).length === 0;

/** Sends a signal to the API server. */
const signal = (name: string) => docker('exec', control, 'pkill', `-${name}`, '-x', 'kube-apiserver');

t.test('an API server that hangs, and one that is restarted, end no session', async t => {
  const id = await start();
  await signal('STOP');
  await until('the service notices', async () => !(await isReady()));
  const refused = await service.api('POST', '/v0/vm');
  t.same([refused.status, refused.body.code], [503, 'engine_unavailable']);
  t.equal(await isRunning(id), true);
  await signal('CONT');
  await until('it is ready again', isReady);

  await signal('KILL');
  const other = await until('a session starts again', async () => {
    const { status, body } = await service.api('POST', '/v0/vm');
    if (status === 201) return body.session_id as string;
    t.equal(body.code, 'engine_unavailable', body.message);
    return null;
  });
  t.same([await isRunning(id), await isRunning(other)], [true, true]);
  for (const each of [id, other]) await service.api('DELETE', `/v0/vm/${each}`);
  await until('their Pods are gone', async () => (await cluster.pods()).length === 0);
});

t.test('a session on a node that is drained ends with its profile saved', async t => {
  const id = await start({ profile: true });
  const drain = ['drain', 'node2', '--pod-selector=berth.session', '--force', '--delete-local-data', '--timeout=90s'];
  const drained = cluster.kubectl(...drain);
  await ended(id, 90_000);
  await drained;
  t.match((await record(id)).termination_message, /taken out of service/);
  t.match(service.log(), /profile saved/);
  await cluster.kubectl('uncordon', 'node2');
  const next = await start({ profile: { load: id } });
  await service.api('DELETE', `/v0/vm/${next}`);
});

t.test('where no node has room, the scheduler says why', async t => {
  const large = await startService(t, {
    ...cluster.env,
    BERTH_SESSION_CPUS: '1000',
    BERTH_KUBERNETES_REQUEST_CPUS: '1000',
    BERTH_START_TIMEOUT: '15',
  });
  const { status, body } = await large.api('POST', '/v0/vm');
  t.same([status, body.code], [429, 'capacity']);
  t.match(body.message, /^No node has room for the session: .*Insufficient cpu/);
});

t.test(
  'a node that is silent for a moment loses nothing, one that stays silent its sessions within a minute',
  async t => {
    const id = await start();
    await docker('pause', worker);
    await pause(20_000);
    await docker('unpause', worker);
    await until('the node is ready', async () => {
      const ready = 'jsonpath={.status.conditions[?(@.type=="Ready")].status}';
      return (await cluster.kubectl('get', 'node', 'node2', '--output', ready)) === 'True';
    });
    t.equal(await isRunning(id), true);

    const begun = performance.now();
    await docker('pause', worker);
    await ended(id, 90_000);
    const seconds = (performance.now() - begun) / 1000;
    t.comment(`a lost node was noticed after ${seconds.toFixed(1)} s`);
    t.ok(seconds < 60, `${seconds} s`);
    t.match((await record(id)).termination_message, /node does not answer any more: node2/);
    await until('its Pod is gone', async () => (await cluster.pods()).length === 0);
    await docker('unpause', worker);
  },
);
