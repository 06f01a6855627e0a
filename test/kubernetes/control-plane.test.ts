// tags: containers, cluster
/**
 * The service itself as a Pod of the chart's Deployment, which reaches agents at their Pods' addresses: sessions are
 * watched and used, and neither they nor their viewers are lost when its Pod is, on SQLite and on PostgreSQL.
 */
import t, { type Test } from 'tap';
import { playsBoth } from '../fixtures/viewers/both-kinds.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { NODE_PORTS, testCluster, versioned } from '../fixtures/kubernetes/cluster.js';
import { hostAddress } from '../fixtures/engines/docker.js';
import { serveCards } from '../fixtures/consoles/cards.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { pageSockets } from '../fixtures/viewers/page-socket.js';
import { postgresql } from '../fixtures/services/postgresql.js';
import { ReturningViewer } from '../fixtures/viewers/returning-viewer.js';
import { servicePod, type ServicePod } from '../fixtures/kubernetes/service-pod.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const COUNT_KEYS = `let keys = 0; addEventListener('keydown', () => show(++keys)); show(0);`;
/** Besides the one with a browser. */
const VIEWERS = 19;
const LOSSES = 4;

pageSockets(t);
const cluster = await testCluster(t, { ownNodes: true, images: [await versioned('service')] });
const cards = await serveCards(t, await hostAddress());
const browser = await openBrowser(t);

const inSeconds = (ms: number) => (ms / 1000).toFixed(1);

/** Pods of sessions and their containers, which stay the same when the service is replaced. */
const podsOf = (ids: readonly string[]) =>
  cluster.kubectl(
    'get',
    'pods',
    `--selector=berth.session in (${ids.join(',')})`,
    '--sort-by=.metadata.name',
    '--output=jsonpath={range .items[*]}{.metadata.uid} {.status.containerStatuses[*].containerID}{"\\n"}{end}',
  );

async function losesNothing(t: Test, service: ServicePod): Promise<void> {
  const tenant = { tenant_id: 'one' };
  const began = Date.now();
  const session = await startSession(service, COUNT_KEYS, tenant);
  const fields = { type: 'nes', room_url: `${cards}/card.nes`, width: 640, height: 400, ...tenant };
  const { status, body: game } = await service.api('POST', '/console', fields);
  if (status !== 201) throw new Error(JSON.stringify(game));
  const ids = [session.id, game.session_id as string];
  const own = await until('the nodes have told the containers', async () => {
    const pods = await podsOf(ids);
    return pods.split('containerd://').length > ids.length && pods;
  });

  const page = await ViewerPage.open(browser, session.url);
  t.teardown(() => page.close());
  const viewers = Array.from(
    { length: VIEWERS },
    (_, index) => new ReturningViewer(index % 2 === 0 ? session.url : game.embed_url),
  );
  t.teardown(() => viewers.forEach(viewer => viewer.leave()));
  await until('all watch', () => viewers.every(({ sees }) => sees));
  await page.shows(0);

  const slowest: number[] = [];
  for (let loss = 1; loss <= LOSSES; loss++) {
    // By turns: a node starts what has ended twice in a row only after a while.
    const isDeleted = loss % 2 === 1;
    if (isDeleted) await service.kubectl('delete', 'pod', await service.pod(), '--wait=false');
    else await service.kill();
    await until('all have noticed', () => viewers.every(({ absences }) => absences.length === loss));
    await until('all are back', () => viewers.every(({ sees }) => sees));
    const longest = (until: 'answered' | 'to') =>
      Math.max(...viewers.map(({ absences }) => (absences.at(-1)?.[until] ?? Infinity) - (absences.at(-1)?.from ?? 0)));
    const [answered, away] = [longest('answered'), longest('to')];
    slowest.push(away);
    const how = isDeleted ? 'deleted' : 'killed';
    t.pass(`${how}: all are answered after ${inSeconds(answered)}, see after ${inSeconds(away)} s`);

    await until('the page is back', async () => (await page.status()) === '');
    await page.page.keyboard.press('a');
    await page.shows(loss);
    const { results } = (await service.api('GET', '/v0/vm')).body as { results: { id: string }[] };
    t.same(results.map(({ id }) => id).sort(), [...ids].sort(), 'both run');
    t.equal(await podsOf(ids), own, 'in the same containers');
  }
  t.comment(`viewers were back after ${slowest.map(inSeconds).join(', ')} s`);

  for (const id of ids) t.equal((await service.api('DELETE', `/v0/vm/${id}`)).status, 200);
  const { usage } = (await service.api('GET', '/v0/vm/usage?tenant_id=one')).body;
  const used = (usage as { seconds: number }[]).reduce((sum, { seconds }) => sum + seconds, 0);
  const lasted = (Date.now() - began) / 1000;
  t.ok(used > lasted && used <= 2 * lasted, `${used} s of use of two sessions that lasted less than ${lasted} s`);
}

const stores = {
  SQLite: async () => null,
  PostgreSQL: async () => (await postgresql(t)).inside,
};

for (const [index, [name, start]] of Object.entries(stores).entries()) {
  t.test(`a service in a Pod, on ${name}`, async t => {
    const service = await servicePod(t, cluster, { nodePort: NODE_PORTS[index] ?? 0, database: await start() });
    await t.test('a browser and a console are watched and used', async t => playsBoth(t, service, browser, cards));
    await t.test('no session and no viewer is lost with its Pod', async t => losesNothing(t, service));
  });
}
