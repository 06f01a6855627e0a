/**
 * Berth, TigerVNC with noVNC and, where the engine has its image, Selkies, side by side: latency, frames, evenness,
 * bytes, processor time and quality. One of them runs at a time, with one browser, in random order. Arguments choose:
 * `latency motion film text`; `rounds=3` sets the number of rounds, `shots=FOLDER` keeps a picture of what each viewer
 * saw.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scene } from './lib/chromium.js';
import { pageUrl } from './lib/pages.js';
import { effortBetween, effortOf, peersOf, truthOf, type Peer } from './lib/peers.js';
import { startBerth } from './lib/berth.js';
import { compare, type Quality } from './lib/quality.js';
import { showLoad, table, verdict } from './lib/report.js';
import { bench, Scope } from './lib/scope.js';
import { between, deviation, median, quantile, shuffled } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const SIZE = { width: 1280, height: 720 };
const PRESSES = 50;
const WARM_UP = 10;
const SETTLE_MS = 4000;
const COUNT_MS = 8000;
/** Frames whose quality is compared in each round, and how long after a change a picture counts as still. */
const FRAMES = 3;
const STILL_MS = 1000;
const LONGEST_MS = 90_000;
const PAGES = ['motion', 'film', 'text'];
const FIRST_COLOUR = [0x20, 0x40, 0x80] as const;

const args = process.argv.slice(2);
const valueOf = (name: string) => args.find(arg => arg.startsWith(`${name}=`))?.slice(name.length + 1);
const rounds = Number(valueOf('rounds') ?? 2);
const shots = valueOf('shots');
const chosen = args.filter(arg => !arg.includes('='));
const isWanted = (name: string) => chosen.length === 0 || chosen.includes(name);

/** Values by what was measured, of each peer. */
type Results = Map<string, Map<Peer, number[]>>;

await bench(`Side by side at ${SIZE.width}x${SIZE.height}, ${rounds} rounds`, async scope => {
  const peers = await peersOf(await startBerth(scope));
  const results: Results = new Map();
  showLoad();
  for (let round = 0; round < rounds; round++) {
    for (const page of ['latency', ...PAGES].filter(isWanted)) {
      for (const peer of shuffled(peers)) {
        await look(results, peer, page).catch((error: unknown) =>
          console.log(`${peer.name}, ${page}: not measured: ${String(error)}`),
        );
      }
    }
  }
  showLoad();
  report(results, peers);
});

/** Measures one page in a session and a browser of their own. */
async function look(results: Results, peer: Peer, page: string): Promise<void> {
  const scope = new Scope();
  const note = (what: string, ...values: number[]) => {
    const of = results.get(what) ?? new Map<Peer, number[]>();
    results.set(what, of.set(peer, [...(of.get(peer) ?? []), ...values]));
  };
  try {
    const name = page === 'latency' ? 'flip' : page;
    const scene = { url: await pageUrl(`${name}.html`), ...SIZE };
    const { container, url } = await peer.start(scope, scene);
    const viewer = await Viewer.open(scope, SIZE);
    const measure = async () => {
      await viewer.visit(url);
      if (page === 'latency') return note('key press to pixel, ms', ...(await press(viewer)));
      await viewer.seesMotion();
      await count(viewer, peer, container, (what, value) => note(`${page}: ${what}`, value));
      if (shots !== undefined) await viewer.page.screenshot({ path: `${shots}/${page}-${peer.name}.png` });
      await judge(viewer, container, scene, (what, value) => note(`${page}: ${what}`, value));
    };
    await within(LONGEST_MS, measure());
  } finally {
    await scope.close();
  }
}

/** @throws Error if it takes longer, in milliseconds */
async function within<T>(ms: number, done: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const late = sleep(ms, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`it took longer than ${ms / 1000} s`);
  });
  late.catch(() => undefined);
  return Promise.race([done, late]).finally(() => stop.abort());
}

async function press(viewer: Viewer): Promise<number[]> {
  await viewer.seesColour(FIRST_COLOUR);
  await viewer.focus();
  const taken: number[] = [];
  for (let press = -WARM_UP; press < PRESSES; press++) {
    await sleep(between(120, 400));
    const ms = await viewer.pressToChange();
    if (press >= 0) taken.push(ms);
  }
  return taken;
}

type Note = (what: string, value: number) => void;

async function count(viewer: Viewer, peer: Peer, container: string, note: Note): Promise<void> {
  await viewer.focus();
  await sleep(SETTLE_MS);
  const [before, received] = [await effortOf(peer, container), await viewer.received()];
  const { seconds, shown, drawn, made, pauses } = await viewer.countFrames(COUNT_MS);
  const [after, receivedThen] = [await effortOf(peer, container), await viewer.received()];
  const { server, page, viewer: browser } = effortBetween(before, after);
  note('made/s', made / seconds);
  note('drawn/s', drawn / seconds);
  note('shown/s', shown / seconds);
  note('unevenness, ms', deviation(pauses.slice(1, -1)));
  note('MB/s', (receivedThen.bytes - received.bytes) / 1e6 / seconds);
  note('server, cores', server);
  note('its Chromium, cores', page);
  note('viewer, cores', browser);
}

/** Compares frames that were kept in motion, and the same standing still, with what the X server has. */
async function judge(viewer: Viewer, container: string, scene: Scene, note: Note): Promise<void> {
  const kept = await viewer.keepFrames(FRAMES, FRAMES * 500);
  const noteQuality = (when: string, { psnr, ssim }: Quality) => {
    note(`PSNR ${when}, dB`, psnr);
    note(`SSIM ${when}`, ssim);
  };
  for (const [i, frame] of kept.entries()) {
    await viewer.hold(frame);
    await sleep(STILL_MS);
    const still = await viewer.pixels();
    const truth = await truthOf(container, scene);
    noteQuality('in motion', compare(await viewer.kept(i), truth));
    noteQuality(`${STILL_MS / 1000} s after it`, compare(still, truth));
  }
}

function report(results: Results, peers: readonly Peer[]): void {
  const of = (what: string, peer: Peer | undefined) => (peer && results.get(what)?.get(peer)) ?? [];
  table([
    ['medians', ...peers.map(({ name }) => name)],
    ...[...results.keys()].map(what => [what, ...peers.map(peer => figure(what, of(what, peer)))]),
  ]);
  const [berth, novnc, selkies] = peers;
  const ratio = (what: string, peer: Peer | undefined) => median(of(what, berth)) / median(of(what, peer));
  if (isWanted('latency')) {
    verdict('latency beside noVNC', ratio('key press to pixel, ms', novnc), { atMost: 0.8 });
    if (selkies) verdict('latency beside Selkies', ratio('key press to pixel, ms', selkies), { atMost: 0.4 });
  }
  for (const page of ['motion', 'film'].filter(isWanted)) {
    verdict(`frames of ${page} shown a second`, median(of(`${page}: shown/s`, berth)), { atLeast: 58 }, 1);
    if (selkies) verdict('unevenness beside Selkies', ratio(`${page}: unevenness, ms`, selkies), { atMost: 1 });
  }
}

function figure(what: string, values: readonly number[]): string {
  const digits = what.includes('SSIM') ? 4 : /MB|cores|dB/.test(what) ? 2 : 1;
  const middle = median(values).toFixed(digits);
  return what.startsWith('key') ? `${middle} (p90 ${quantile(values, 0.9).toFixed(digits)})` : middle;
}
