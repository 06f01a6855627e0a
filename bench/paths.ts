/**
 * What viewers on different paths see of a page that changes everywhere, each beside a viewer on a path of 20 Mbit/s.
 * Paths are token buckets in this process; a lost piece arrives a round trip later, with all that follow it.
 *
 * With `peers`, Berth, noVNC and, where the engine has its image, Selkies are shown by a browser on each path alone.
 *
 *   npx tsx bench/paths.ts [paths, default all: narrow, loss, break, phone] [peers]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { narrowPath, type NarrowPath } from '../test/fixtures/networks/narrow-path.js';
import type { Service } from '../test/fixtures/services/service.js';
import { StreamClient } from '../test/fixtures/viewers/stream-client.js';
import { endSession, startBerth, startSession } from './lib/berth.js';
import { pageUrl } from './lib/pages.js';
import { peersOf, type Peer } from './lib/peers.js';
import { showLoad, table } from './lib/report.js';
import { bench, Scope } from './lib/scope.js';
import { quantile, shuffled } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const SECONDS = 24;
/** Time for the rates to settle. */
const SETTLE_MS = 6000;
const SIZE = { width: 1280, height: 720 };
/** A pause between two frames that a person notices, ms. */
const FREEZE_MS = 300;
const FAST_KBPS = 20_000;

interface Scenario {
  title: string;
  kbps: number;
  delayMs: number;
  loss?: number;
  /** Changes the path while it is measured. */
  during?: (path: NarrowPath, ended: AbortSignal) => Promise<void>;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  narrow: { title: '1.5 Mbit/s, 40 ms', kbps: 1500, delayMs: 20 },
  loss: { title: '20 Mbit/s, 80 ms, 1 % lost', kbps: FAST_KBPS, delayMs: 40, loss: 0.01 },
  break: {
    title: '20 Mbit/s, 40 ms, broken for 3 s',
    kbps: FAST_KBPS,
    delayMs: 20,
    during: async path => {
      await wait(5000);
      path.kbps = 0;
      await wait(3000);
      path.kbps = FAST_KBPS;
    },
  },
  phone: {
    title: '0.5 to 8 Mbit/s in 8 s, 80 ms',
    kbps: 8000,
    delayMs: 40,
    during: async (path, ended) => {
      for (let step = 0; !ended.aborted; step++) {
        path.kbps = 500 + (7500 * (1 + Math.cos((2 * Math.PI * step) / 32))) / 2;
        await wait(250);
      }
    },
  },
};

const words = process.argv.slice(2);
const chosen = Object.entries(SCENARIOS).filter(
  ([name], _, all) => words.includes(name) || !all.some(([each]) => words.includes(each)),
);
const isOfPeers = words.includes('peers');
const PAGE = 'motion';

/** The frames that a viewer received: when, and how long after their capture, ms. */
interface Watched {
  frames: { at: number; delayMs: number; small: boolean; bytes: number }[];
}

async function join(scope: Scope, url: string, scenario: Scenario) {
  const address = new URL(url);
  address.protocol = 'ws:';
  address.pathname += '/stream';
  const path = await narrowPath(scope, Number(address.port), scenario.kbps, scenario.delayMs);
  path.loss = scenario.loss ?? 0;
  address.port = String(path.port);
  const viewer = await StreamClient.join(address.href, { audio: false });
  scope.teardown(() => viewer.leave());
  return { path, viewer };
}

/** Notes what a viewer receives from now on. */
function watch(viewer: StreamClient): Watched {
  const watched: Watched = { frames: [] };
  viewer.onFrame = ({ at, small, bytes }, message) => {
    const delayMs = Number(process.hrtime.bigint() / 1000n - message.readBigUInt64LE(6)) / 1000;
    watched.frames.push({ at, delayMs, small, bytes });
  };
  return watched;
}

function figures(name: string, { frames }: Watched, began: number, ended: number): string[] {
  const seconds = (ended - began) / 1000;
  const times = [began, ...frames.map(({ at }) => at), ended];
  const pauses = times.slice(1).map((at, i) => at - Number(times[i]));
  const delays = frames.map(({ delayMs }) => delayMs);
  const small = frames.filter(frame => frame.small).length / Math.max(1, frames.length);
  return [
    name,
    (frames.length / seconds).toFixed(1),
    `${Math.round(100 * small)} %`,
    quantile(delays, 0.5).toFixed(0),
    quantile(delays, 0.95).toFixed(0),
    (frames.reduce((sum, { bytes }) => sum + bytes, 0) / 125_000 / seconds).toFixed(2),
    ...freezesOf(pauses),
  ];
}

/** How many pauses a person notices, how long they are together, and the longest one. */
function freezesOf(pauses: readonly number[]): string[] {
  const freezes = pauses.filter(ms => ms > FREEZE_MS);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return [String(freezes.length), seconds(freezes.reduce((sum, ms) => sum + ms, 0)), seconds(Math.max(...pauses))];
}

/** Runs a path's changes while it is watched for the usual time. */
async function changing<T>(scenario: Scenario, path: NarrowPath, watching: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const changes = scenario.during?.(path, ended.signal);
  const watched = await watching();
  ended.abort();
  await changes;
  return watched;
}

/** A viewer on the path and one beside it on a fast one. */
async function ofBerth(scope: Scope, service: Service, scenario: Scenario): Promise<string[][]> {
  const session = await startSession(service, { url: await pageUrl(`${PAGE}.html`), ...SIZE });
  const fast = await join(scope, session.url, { title: '', kbps: FAST_KBPS, delayMs: 20 });
  await wait(SETTLE_MS / 2);
  const { path, viewer } = await join(scope, session.url, scenario);
  await wait(SETTLE_MS);
  const [besides, watched] = [watch(fast.viewer), watch(viewer)];
  const began = performance.now();
  await changing(scenario, path, () => wait(SECONDS * 1000));
  const now = performance.now();
  viewer.leave();
  fast.viewer.leave();
  await endSession(service, session);
  return [figures(scenario.title, watched, began, now), figures('  beside it: 20 Mbit/s, 40 ms', besides, began, now)];
}

/** The address of a peer's page such that its stream comes through the path. */
async function routed(scope: Scope, url: string, { kbps, delayMs }: Pick<Scenario, 'kbps' | 'delayMs'>) {
  const page = new URL(url);
  // noVNC's page names the address of its stream; those of others come from there, too.
  const host = page.searchParams.get('host');
  const port = Number(host === null ? page.port : page.searchParams.get('port'));
  const path = await narrowPath(scope, port, kbps, delayMs, host ?? '127.0.0.1');
  if (host === null) page.port = String(path.port);
  else {
    page.searchParams.set('host', '127.0.0.1');
    page.searchParams.set('port', String(path.port));
  }
  return { path, page: page.href };
}

/** What a browser shows on the path of a session that nobody else watches. */
async function ofPeer(peer: Peer, scenario: Scenario): Promise<string[]> {
  const scope = new Scope();
  try {
    const { url } = await peer.start(scope, { url: await pageUrl(`${PAGE}.html`), ...SIZE });
    const { path, page } = await routed(scope, url, { kbps: FAST_KBPS, delayMs: scenario.delayMs });
    const browser = await Viewer.open(scope, SIZE);
    await browser.visit(page);
    await browser.seesMotion();
    path.kbps = scenario.kbps;
    path.loss = scenario.loss ?? 0;
    await wait(SETTLE_MS);
    const before = await browser.received();
    const { seconds, shown, pauses } = await changing(scenario, path, () => browser.countFrames(SECONDS * 1000));
    const mbps = ((await browser.received()).bytes - before.bytes) / 125_000 / seconds;
    return [(shown / seconds).toFixed(1), '–', '–', '–', mbps.toFixed(2), ...freezesOf(pauses)];
  } finally {
    await scope.close();
  }
}

async function ofPeers(peers: readonly Peer[], scenario: Scenario): Promise<string[][]> {
  const rows: string[][] = [];
  for (const peer of shuffled(peers)) {
    const name = `${scenario.title}: ${peer.name}`;
    const figures = await ofPeer(peer, scenario).catch((error: unknown) => {
      console.log(`${name}: not measured: ${String(error)}`);
      return ['not measured'];
    });
    rows.push([name, ...figures]);
  }
  return rows.sort();
}

await bench(`Viewers on different paths, ${SECONDS} s of ${PAGE} each`, async scope => {
  showLoad();
  const rows: string[][] = [];
  const service = await startBerth(scope);
  for (const [, scenario] of chosen) {
    if (!isOfPeers) rows.push(...(await ofBerth(scope, service, scenario)));
    else rows.push(...(await ofPeers(await peersOf(service), scenario)));
  }
  showLoad();
  table([['', 'frames/s', 'small', 'delay ms', 'p95', 'Mbit/s', 'freezes', 'frozen', 'longest'], ...rows]);
});
