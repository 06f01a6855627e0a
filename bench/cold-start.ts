/**
 * Time from the request to the first picture in a viewer, with a prepared browser, with a warm container and without,
 * there also until the page is painted with nobody watching, which needs root. Compared with the same Chromium in a
 * container without Berth, with its own defaults and with the arguments of sessions. Argument: number of rounds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../test/fixtures/service.js';
import { bareStart } from './lib/bare.js';
import { endSession, startBerth, startSession } from './lib/berth.js';
import { chromiumCommand, plainCommand, type Scene } from './lib/chromium.js';
import { paintedBy } from './lib/new-screen.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench } from './lib/scope.js';
import { median, shuffled } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const ROUNDS = Number(process.argv[2] ?? 30);
const SIZE = { width: 1280, height: 720 };
const COLOUR = [0x20, 0x40, 0x80] as const;
/** Time for the engine to clean up after a container, and for the pool to replace it. */
const PAUSE_MS = 3000;

await bench('Start to the first picture, milliseconds', async scope => {
  const scene = { url: await pageUrl('flip.html'), ...SIZE };
  const cold = await startBerth(scope);
  const ready = await startBerth(scope, { warm: 1 });
  const warm = await startBerth(scope, { warm: 1, browser: false });
  const viewer = await Viewer.open(scope, SIZE);
  const answers = { ready: [] as number[], cold: [] as number[], warm: [] as number[] };
  const sides = [
    { start: () => sessionStart(ready, viewer, scene, answers.ready), taken: [] as number[] },
    { start: () => sessionStart(warm, viewer, scene, answers.warm), taken: [] as number[] },
    { start: () => sessionStart(cold, viewer, scene, answers.cold), taken: [] as number[] },
    { start: () => unwatchedStart(cold, scene), taken: [] as number[] },
    { start: () => bareStart(scene, plainCommand, COLOUR), taken: [] as number[] },
    { start: () => bareStart(scene, chromiumCommand, COLOUR), taken: [] as number[] },
  ];
  showLoad();
  // The first rounds tell the pool what browser to prepare.
  for (let round = -2; round < ROUNDS; round++) {
    for (const { start, taken } of shuffled(sides)) {
      const ms = await start();
      if (round >= 0) taken.push(ms);
      await sleep(PAUSE_MS);
    }
  }
  const [prepared = [], made = [], none = [], painted = [], bare = [], alike = []] = sides.map(({ taken }) => taken);
  table([
    SUMMARY_HEAD('ms'),
    summary('Berth, warm pool', prepared, 0),
    summary('  of it until the answer', answers.ready.slice(2), 0),
    summary('Berth, warm pool without browsers', made, 0),
    summary('  of it until the answer', answers.warm.slice(2), 0),
    summary('Berth, without', none, 0),
    summary('  of it until the answer', answers.cold.slice(2), 0),
    summary('  on its X server, nobody watching', painted, 0),
    summary('bare container, on its X server', bare, 0),
    summary("  the same with sessions' arguments", alike, 0),
  ]);
  verdict('as it comes, milliseconds', median(prepared), { atMost: 250 }, 0);
  verdict('without prepared browsers, beside the bare container', median(made) / median(bare), { atMost: 1.25 });
  verdict('painted without the warm pool', median(painted) / median(bare), { atMost: 1.25 });
  verdict('seen without the warm pool, by a viewer on the same machine', median(none) / median(bare), { atMost: 1.25 });
});

async function sessionStart(service: Service, viewer: Viewer, scene: Scene, answers: number[]): Promise<number> {
  const began = performance.now();
  const session = await startSession(service, scene);
  answers.push(performance.now() - began);
  await viewer.visit(session.url);
  await viewer.seesColour(COLOUR);
  const taken = performance.now() - began;
  await viewer.leave();
  await endSession(service, session);
  return taken;
}

async function unwatchedStart(service: Service, scene: Scene): Promise<number> {
  const [taken, session] = await paintedBy(() => startSession(service, scene), COLOUR);
  await endSession(service, session);
  return taken;
}
