/**
 * Time from the request to the first picture in a viewer for sessions that are Pods, with and without a warm Pod,
 * compared with the same Chromium in a Pod without Berth, and with Docker's warm containers. The cluster is that of the
 * tests, with one node; Pods are reached at their addresses, as from inside of it.
 */
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { testCluster, type TestCluster } from '../test/fixtures/kubernetes/cluster.js';
import { startService, type Service } from '../test/fixtures/services/service.js';
import { BarePods } from './lib/bare-pod.js';
import { endSession, startBerth, startSession } from './lib/berth.js';
import { chromiumCommand, plainCommand, type Scene } from './lib/chromium.js';
import { docker } from './lib/docker.js';
import { paintedBy } from './lib/new-screen.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';
import { median, shuffled } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const ROUNDS = Number(process.argv[2] ?? 12);
const SIZE = { width: 1280, height: 720 };
const COLOUR = [0x20, 0x40, 0x80] as const;
/** Time for the node to clean up after a Pod, and for the pool to replace it. */
const PAUSE_MS = 5000;

await bench('Start of Pods to the first picture, milliseconds', async scope => {
  const scene = { url: await pageUrl('flip.html'), ...SIZE };
  const cluster = await testCluster(scope);
  await reachPods(scope, cluster);
  process.env['KUBECONFIG'] = cluster.admin;
  const bare = await BarePods.open(cluster);
  const viewer = await Viewer.open(scope, SIZE);
  const on = (warm: number, env: Record<string, string>) =>
    startService(scope, {
      ...cluster.env,
      BERTH_LOG_LEVEL: 'warn',
      BERTH_WARM_POOL: String(warm),
      BERTH_KUBERNETES_REACH: 'pod',
      BERTH_KUBERNETES_NODES: 'NA=kubernetes.io/hostname=node1',
      ...env,
    });
  const [cold, filtered] = [await on(0, { BERTH_EGRESS: 'open' }), await on(0, {})];
  const sides: { name: string; start: () => Promise<number>; taken: number[] }[] = [
    { name: 'Berth, warm pool', ...session(await on(1, { BERTH_EGRESS: 'open' }), viewer, scene) },
    { name: 'Berth, without', ...session(cold, viewer, scene) },
    { name: '  on its X server, nobody watching', ...unwatched(cold, scene) },
    { name: 'Berth, without, packet filter', ...session(filtered, viewer, scene) },
    { name: '  on its X server, nobody watching', ...unwatched(filtered, scene) },
    { name: 'bare Pod, on its X server', start: () => bare.start(scene, plainCommand, COLOUR), taken: [] },
    { name: "  with sessions' arguments", start: () => bare.start(scene, chromiumCommand, COLOUR), taken: [] },
    { name: 'Berth on Docker, warm pool', ...session(await startBerth(scope, { warm: 1 }), viewer, scene) },
  ];
  showLoad();
  for (let round = -1; round < ROUNDS; round++) {
    for (const { start, taken } of shuffled(sides)) {
      const ms = await start();
      if (round >= 0) taken.push(ms);
      await sleep(PAUSE_MS);
    }
  }
  table([SUMMARY_HEAD('ms'), ...sides.map(({ name, taken }) => summary(name, taken, 0))]);
  const [warm = 0, seen = 0, painted = 0, , through = 0, pod = 0, , container = 0] = sides.map(({ taken }) =>
    median(taken),
  );
  verdict('painted without the warm pool, beside the bare Pod', painted / pod, { atMost: 1.25 });
  verdict('the same with the packet filter', through / pod, { atMost: 1.25 });
  verdict('seen by a viewer on the same machine, beside the bare Pod', seen / pod, { atMost: 1.25 });
  verdict("with the warm pool, ms more than Docker's", warm - container, { atMost: 50 }, 0);
});

/** Starts and ends a session at each call. */
function session(service: Service, viewer: Viewer, scene: Scene): { start: () => Promise<number>; taken: number[] } {
  const start = async () => {
    const began = performance.now();
    const { id, container, url } = await startSession(service, scene);
    await viewer.visit(url);
    await viewer.seesColour(COLOUR);
    const ms = performance.now() - began;
    await viewer.leave();
    await endSession(service, { id, container, url });
    return ms;
  };
  return { start, taken: [] };
}

/** The same, until the page is painted, as for the bare Pod. */
function unwatched(service: Service, scene: Scene): { start: () => Promise<number>; taken: number[] } {
  const start = async () => {
    const [ms, started] = await paintedBy(() => startSession(service, scene), COLOUR);
    await endSession(service, started);
    return ms;
  };
  return { start, taken: [] };
}

/** Has this machine reach Pods of the first node at their addresses. */
async function reachPods(scope: Scope, { nodes: [node = ''] }: TestCluster): Promise<void> {
  const address = await docker('inspect', '--format', '{{.NetworkSettings.Networks.bridge.IPAddress}}', node);
  const route = (verb: string) => promisify(execFile)('ip', ['route', verb, '10.244.0.0/24', 'via', address]);
  await route('replace');
  scope.teardown(() => route('del'));
}
