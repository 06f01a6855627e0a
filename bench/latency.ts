/**
 * Time from a key press to the changed pixel in the viewer, for Berth and for TigerVNC with noVNC, on the same page.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBerth, startSession } from './lib/berth.js';
import { startVnc } from './lib/novnc.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';
import { between, median, shuffled } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const PRESSES = 300;
const WARM_UP = 10;
const SIZE = { width: 1280, height: 720 };
const FIRST_COLOUR = [0x20, 0x40, 0x80] as const;

await bench('Key press to changed pixel, milliseconds', async scope => {
  const scene = { url: await pageUrl('flip.html'), ...SIZE };
  const service = await startBerth(scope);
  const berth = await watch(scope, (await startSession(service, scene)).url);
  const novnc = await watch(scope, (await startVnc(scope, scene)).url);
  const sides = [
    { viewer: berth, taken: [] as number[] },
    { viewer: novnc, taken: [] as number[] },
  ];
  showLoad();
  for (let press = -WARM_UP; press < PRESSES; press++) {
    for (const { viewer, taken } of shuffled(sides)) {
      await sleep(between(120, 400));
      const ms = await viewer.pressToChange();
      if (press >= 0) taken.push(ms);
    }
  }
  const [ours = [], theirs = []] = sides.map(({ taken }) => taken);
  table([SUMMARY_HEAD('ms'), summary('Berth', ours), summary('noVNC', theirs)]);
  verdict('latency beside noVNC', median(ours) / median(theirs), { atMost: 0.8 });
});

/** Opens a new viewer of a session and waits for its picture. */
async function watch(scope: Scope, url: string): Promise<Viewer> {
  const viewer = await Viewer.open(scope, SIZE);
  await viewer.visit(url);
  await viewer.seesColour(FIRST_COLOUR);
  await viewer.focus();
  return viewer;
}
