// tags: containers, cluster
/** Sessions that a cluster takes away, or cannot start, end in words, which viewers are told too. */
import t from 'tap';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { serveCards } from '../fixtures/consoles/cards.js';
import { startService } from '../fixtures/services/service.js';
import { StreamClient } from '../fixtures/viewers/stream-client.js';
import { until } from '../fixtures/until.js';

const cluster = await testCluster(t, { ownNodes: true });
const origin = await serveCards(t);
const service = await startService(t, {
  ...cluster.env,
  BERTH_KUBERNETES_IMAGES: `chromium=${cluster.images.chromium},console=berth-test.invalid/none:1.0`,
  BERTH_KUBERNETES_NODES: 'NA=kubernetes.io/hostname=node2',
  BERTH_ROM_ALLOW_PRIVATE: 'true',
  BERTH_KUBERNETES_GRACE: '10',
  BERTH_SESSION_MEMORY_MB: '512',
  BERTH_SESSION_TMP_MB: '1024',
  BERTH_SESSION_HOME_MB: '64',
});

interface Watched {
  id: string;
  pod: string;
  viewer: StreamClient;
}

/** Starts a session that somebody watches. */
async function start(): Promise<Watched> {
  const { status, body } = await service.api('POST', '/v0/vm');
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}\n${service.log()}`);
  const { session_id: id, embed_url: page } = body as { session_id: string; embed_url: string };
  const token = new URL(page).searchParams.get('token') ?? '';
  const viewer = await StreamClient.join(`${service.url.replace('http', 'ws')}/s/${id}/stream?token=${token}`);
  const [pod = ''] = await cluster.pods(id);
  return { id, pod, viewer };
}

/** How a session has ended: what its record says, which its viewer was told too. */
async function outcome({ id, viewer }: Watched): Promise<{ reason: string; message: string }> {
  const record = await until(
    () => `the session has ended:\n${service.log().slice(-2000)}`,
    async () => {
      const { body } = await service.api('GET', `/v0/vm/${id}`);
      return body.termination_date === null ? null : (body as Record<string, string>);
    },
    90_000,
  );
  const end = await viewer.heard('end');
  t.equal(end.message, record['termination_message'], 'the viewer is told the same');
  return { reason: record['termination_reason'] ?? '', message: record['termination_message'] ?? '' };
}

t.test('an image that cannot be pulled', async t => {
  const began = performance.now();
  const { status, body } = await service.api('POST', '/console', {
    type: 'nes',
    room_url: `${origin}/card.nes`,
  });
  t.same([status, body.code], [502, 'start_failed']);
  t.match(body.message, /^The image cannot be pulled: .*berth-test\.invalid\/none/);
  t.ok(performance.now() - began < 30_000, 'long before the start would be given up');
});

t.test('a Pod that is removed by force', async t => {
  const session = await start();
  await cluster.kubectl('delete', 'pod', session.pod, '--force', '--grace-period=0');
  t.same(await outcome(session), { reason: 'crashed', message: "The session's container was removed." });
});

t.test('a Pod that its node evicts', async t => {
  const session = await start();
  await cluster.inPod(session.pod, 'head -c 100M /dev/zero >/home/berth/much');
  const { reason, message } = await outcome(session);
  t.equal(reason, 'crashed');
  t.match(message, /^The session's node evicted it: .*home.* exceeds the limit/);
});

t.test('a Pod that runs out of memory', async t => {
  const session = await start();
  await cluster.inPod(session.pod, 'head -c 900M /dev/zero >/tmp/much').catch(() => '');
  t.same(await outcome(session), { reason: 'crashed', message: 'The session ran out of memory.' });
});

t.test('a Pod that makes room for something more important', async t => {
  const session = await start();
  await cluster.kubectl('create', 'priorityclass', 'berth-test-high', '--value=1000');
  t.teardown(() => cluster.kubectl('delete', 'priorityclass', 'berth-test-high'));
  const cpus = await cluster.kubectl('get', 'node', 'node2', '--output=jsonpath={.status.allocatable.cpu}');
  const pause = {
    name: 'pause',
    image: 'k8s.local/pause:3.6',
    imagePullPolicy: 'Never',
    resources: { requests: { cpu: cpus } },
  };
  const spec = {
    priorityClassName: 'berth-test-high',
    nodeSelector: { 'kubernetes.io/hostname': 'node2' },
    terminationGracePeriodSeconds: 0,
    containers: [pause],
  };
  const metadata = { name: 'important', namespace: cluster.namespace };
  await cluster.apply(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec }));
  t.teardown(() => cluster.kubectl('delete', 'pod', 'important', '--wait=false'));
  await session.viewer.heard('warning');
  const { reason, message } = await outcome(session);
  t.equal(reason, 'crashed');
  t.match(message, /taken out of service|made room for something more important/);
});
