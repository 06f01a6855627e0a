/**
 * Time from the request to the first picture in a viewer, with a prepared browser, with a warm container and without,
 * with a prepared browser and without anything also until the page is painted with nobody watching, which needs root.
 * Compared with the same Chromium in a container without Berth, with its own defaults and with the arguments of
 * sessions. Arguments: number of rounds, and which of `prepared warm cold bare` are measured; all by default.
 */
import type { Service } from '../test/fixtures/services/service.js';
import { until } from '../test/fixtures/until.js';
import { bareStart, LONGEST_MS, painted } from './lib/bare.js';
import { endSession, startBerth, startSession } from './lib/berth.js';
import { chromiumCommand, plainCommand, type Scene } from './lib/chromium.js';
import { docker } from './lib/docker.js';
import { paintedBy } from './lib/new-screen.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, verdict } from './lib/report.js';
import { bench } from './lib/scope.js';
import { StartRounds } from './lib/start-rounds.js';
import { median } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const [rounds = '30', ...chosen] = process.argv.slice(2);
const isChosen = (side: string) => chosen.length === 0 || chosen.includes(side);
const SIZE = { width: 1280, height: 720 };
const COLOUR = [0x20, 0x40, 0x80] as const;
/** Time for the engine to clean up after a container, and for the pool to replace it. */
const PAUSE_MS = 3000;
const PAINTED = '  on its X server, nobody watching';
/** They tell the pool what browser to prepare. */
const FIRST_ROUNDS = 2;

await bench('Start to the first picture, milliseconds', async scope => {
  const scene = { url: await pageUrl('flip.html'), ...SIZE };
  const viewer = await Viewer.open(scope, SIZE);
  const starts = new StartRounds();
  const side = (name: string, start: () => Promise<number>) => starts.side(name, start);
  const seen = (name: string, service: Service) =>
    starts.seen(name, { service, viewer, colour: COLOUR, start: () => startSession(service, scene) });
  let prepared: number[] | undefined, warm: number[] | undefined;
  let cold: number[] | undefined, unwatched: number[] | undefined, bare: number[] | undefined;
  if (isChosen('prepared')) {
    const service = await startBerth(scope, { warm: 1 });
    prepared = seen('Berth, warm pool', service);
    side(PAINTED, () => preparedStart(service, scene));
  }
  if (isChosen('warm'))
    warm = seen('Berth, warm pool without browsers', await startBerth(scope, { warm: 1, browser: false }));
  if (isChosen('cold')) {
    const service = await startBerth(scope);
    cold = seen('Berth, without', service);
    unwatched = side(PAINTED, () => unwatchedStart(service, scene));
  }
  if (isChosen('bare')) {
    bare = side('bare container, on its X server', () => bareStart(scene, plainCommand, COLOUR));
    side("  the same with sessions' arguments", () => bareStart(scene, chromiumCommand, COLOUR));
  }
  showLoad();
  await starts.run({ rounds: Number(rounds), first: FIRST_ROUNDS, pause: PAUSE_MS });
  if (prepared) verdict('as it comes, milliseconds', median(prepared), { atMost: 250 }, 0);
  if (bare === undefined) return;
  const beside = (name: string, taken: number[] | undefined) =>
    taken && verdict(name, median(taken) / median(bare), { atMost: 1.25 });
  beside('without prepared browsers, beside the bare container', warm);
  beside('painted without the warm pool', unwatched);
  beside('seen without the warm pool, by a viewer on the same machine', cold);
});

async function unwatchedStart(service: Service, scene: Scene): Promise<number> {
  const [taken, session] = await paintedBy(() => startSession(service, scene), COLOUR);
  await endSession(service, session);
  return taken;
}

/** The same where a container with a browser waits, whose X server is there already. */
async function preparedStart(service: Service, scene: Scene): Promise<number> {
  const waits = ['--filter', 'label=berth.made-ahead-by', '--filter', `name=${service.instance}`];
  const container = await until('a container waits', async () => (await docker('ps', '--quiet', ...waits)) || null);
  const pid = await docker('inspect', '--format', '{{.State.Pid}}', container);
  const began = performance.now();
  const starting = startSession(service, scene);
  await painted(`/proc/${pid}/root/tmp/.X11-unix/X0`, COLOUR, began + LONGEST_MS);
  const taken = performance.now() - began;
  await endSession(service, await starting);
  return taken;
}
