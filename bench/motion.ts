/**
 * Frames per second of a page that changes everywhere, for Berth and for TigerVNC with noVNC. Arguments choose pages and
 * sizes, such as `film 1280x720`; without, all are measured.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../test/fixtures/services/service.js';
import { endSession, startBerth, startSession } from './lib/berth.js';
import { docker } from './lib/docker.js';
import { startVnc } from './lib/novnc.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, table, verdict } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';
import { median } from './lib/statistics.js';
import { coresBetween, usageOf } from './lib/usage.js';
import { Viewer } from './lib/viewer.js';

const ROUNDS = 3;
const SECONDS = 10;
/** Time for the page to be painted and for the rate to settle. */
const SETTLE_MS = 5000;
const PROGRAMS = ['berth-display', 'node', 'Xvfb', 'Xtigervnc', 'websockify', 'chromium'] as const;

interface Size {
  width: number;
  height: number;
}

/** What one viewer saw in one round; rates are per second. */
interface Round {
  shown: number;
  drawn: number;
  made: number;
  megabytes: number;
  cores: Map<string, number>;
}

const SIZES: readonly Size[] = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
];
/** Flat discs and text that are shifted, which is easy for VNC; and film-like content, two pictures at a time. */
const PAGES = ['motion', 'film'];
const chosen = new Set(process.argv.slice(2));
const isWanted = (name: string, all: readonly string[]) => chosen.has(name) || !all.some(each => chosen.has(each));
const textOf = ({ width, height }: Size) => `${width}x${height}`;

await bench(`Frames a second of moving pages, ${ROUNDS} rounds of ${SECONDS} s`, async scope => {
  const service = await startBerth(scope);
  showLoad();
  for (const size of SIZES.filter(each => isWanted(textOf(each), SIZES.map(textOf)))) {
    for (const page of PAGES.filter(each => isWanted(each, PAGES))) {
      const { berth, novnc } = await compare(scope, service, page, size);
      if (size !== SIZES[0]) continue;
      verdict(`frames of ${page} shown a second at ${textOf(size)}`, berth, { atLeast: 55 }, 1);
      verdict('of noVNC', berth / novnc, { atLeast: 7 }, 1);
    }
  }
});

/** Alternates between both, so that each has the machine to itself. Returns the medians of frames shown. */
async function compare(
  scope: Scope,
  service: Service,
  page: string,
  size: Size,
): Promise<{ berth: number; novnc: number }> {
  const scene = { url: await pageUrl(`${page}.html`), ...size };
  const viewer = await Viewer.open(scope, size);
  const berth: Round[] = [];
  const novnc: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const session = await startSession(service, scene);
    berth.push(await look(viewer, session));
    await endSession(service, session);
    const vnc = await startVnc(scope, scene);
    novnc.push(await look(viewer, vnc));
    await docker('rm', '-f', vnc.container);
  }
  console.log(`${page} at ${textOf(size)}, medians; programs in cores`);
  table([
    ['', 'shown/s', 'drawn/s', 'made/s', 'MB/s', ...PROGRAMS],
    ['Berth', ...figures(berth)],
    ['noVNC', ...figures(novnc)],
  ]);
  return { berth: median(berth.map(({ shown }) => shown)), novnc: median(novnc.map(({ shown }) => shown)) };
}

async function look(viewer: Viewer, { url, container }: { url: string; container: string }): Promise<Round> {
  await viewer.visit(url);
  await viewer.seesMotion();
  await sleep(SETTLE_MS);
  const [before, received] = [await usageOf(container), await viewer.received()];
  const { seconds, shown, drawn, made } = await viewer.countFrames(SECONDS * 1000);
  const [after, receivedThen] = [await usageOf(container), await viewer.received()];
  await viewer.leave();
  return {
    shown: shown / seconds,
    drawn: drawn / seconds,
    made: made / seconds,
    megabytes: (receivedThen.bytes - received.bytes) / 1e6 / seconds,
    cores: coresBetween(before, after),
  };
}

function figures(rounds: readonly Round[]): string[] {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick));
  return [
    of(({ shown }) => shown).toFixed(1),
    of(({ drawn }) => drawn).toFixed(1),
    of(({ made }) => made).toFixed(1),
    of(({ megabytes }) => megabytes).toFixed(2),
    ...PROGRAMS.map(name => of(({ cores }) => cores.get(name) ?? 0).toFixed(2)),
  ];
}
