// tags: containers, cluster
/** The chart is installed, upgraded under a running session, and uninstalled by Helm; the service has no volume. */
import t from 'tap';
import { NODE_PORTS, testCluster, versioned } from '../fixtures/kubernetes/cluster.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { pageSockets } from '../fixtures/viewers/page-socket.js';
import { postgresql } from '../fixtures/services/postgresql.js';
import { ReturningViewer } from '../fixtures/viewers/returning-viewer.js';
import { servicePod } from '../fixtures/kubernetes/service-pod.js';
import { until } from '../fixtures/until.js';

/** The lease of the Pod before, and what a Pod takes to start. */
const TAKEOVER_MS = 120_000;

pageSockets(t);
const cluster = await testCluster(t, { ownNodes: true, images: [await versioned('service')] });
const { inside: database } = await postgresql(t);

const sessionPod = (id: string) =>
  cluster.kubectl('get', 'pods', `--selector=berth.session=${id}`, '--output=jsonpath={.items[*].metadata.uid}');

t.test('Helm installs, upgrades and uninstalls the service, and a session outlives the upgrade', async t => {
  const service = await servicePod(t, cluster, { nodePort: NODE_PORTS[0], database, hasVolume: false });
  const volumes = await service.kubectl('get', 'persistentvolumeclaims', '--output=name');
  t.equal(volumes, '', 'no volume is claimed');
  for (const what of ['seccomp', 'images']) {
    const namespace = what === 'images' ? [`--namespace=${cluster.namespace}`] : [];
    const name = (await service.kubectl('get', 'deployments', '--output=jsonpath={.items[0].metadata.name}')).trim();
    await service.kubectl('rollout', 'status', `daemonset/${name}-${what}`, '--timeout=60s', ...namespace);
  }

  const { id, url } = await startSession(service, 'show(0);');
  const viewer = new ReturningViewer(url);
  t.teardown(() => viewer.leave());
  await until('it is watched', () => viewer.sees);
  const [own, before] = [await sessionPod(id), await service.pod()];

  await service.upgrade({ BERTH_MAX_SESSIONS: '7' });
  const pod = await service.pod();
  t.not(pod, before, 'another Pod runs the service');
  t.match(await service.kubectl('get', 'pod', pod, '--output=yaml'), /name: BERTH_MAX_SESSIONS\n\s+value: "7"/);
  await until('the viewer is back', () => viewer.absences.length > 0 && viewer.sees, TAKEOVER_MS);
  t.equal(await sessionPod(id), own, 'the session is in the same Pod');
  const { results } = (await service.api('GET', '/v0/vm')).body as { results: { id: string }[] };
  t.same(
    results.map(each => each.id),
    [id],
  );
  t.equal((await service.api('DELETE', `/v0/vm/${id}`)).status, 200);
  t.equal(viewer.ending === null, false, 'the viewer is told its end');

  await service.uninstall();
  // Helm does not wait for what its objects have made.
  await until('nothing is left', async () => {
    const left = await service.kubectl('get', 'deployments,daemonsets,services,pods', '--output=name');
    return left === '';
  });
  const rights = await cluster.kubectl(
    'get',
    'roles,rolebindings',
    '--selector=app.kubernetes.io/name=berth',
    '--output=name',
  );
  t.equal(rights, '');
});
