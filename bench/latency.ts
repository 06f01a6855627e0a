/**
 * Time from a key press to the changed pixel in the viewer, for Berth and for TigerVNC with noVNC, on the same pages: one
 * changes the colour of all of its picture, one that of a place as large as a letter, and one turns a page of text. The
 * names of pages as arguments choose.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../test/fixtures/services/service.js';
import { endSession, startBerth, startSession } from './lib/berth.js';
import { startVnc } from './lib/novnc.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench, Scope } from './lib/scope.js';
import { between, median, shuffled } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const PRESSES = 300;
const WARM_UP = 10;
const SIZE = { width: 1280, height: 720 };
const FIRST_COLOUR = [0x20, 0x40, 0x80] as const;

const PAGES = [
  { name: 'whole picture', file: 'flip' },
  { name: 'letter', file: 'letter' },
  { name: 'page of text', file: 'pages' },
];
const chosen = process.argv.slice(2);

await bench('Key press to changed pixel, milliseconds', async scope => {
  const service = await startBerth(scope);
  const rows: string[][] = [];
  for (const page of PAGES) {
    if (chosen.length > 0 && !chosen.includes(page.file)) continue;
    const own = new Scope();
    scope.teardown(() => own.close());
    const { berth, novnc } = await measure(own, service, `${page.file}.html`);
    await own.close();
    rows.push(summary(`Berth, ${page.name}`, berth), summary(`noVNC, ${page.name}`, novnc));
    verdict(`latency beside noVNC, ${page.name}`, median(berth) / median(novnc), { atMost: 0.8 });
  }
  table([SUMMARY_HEAD('ms'), ...rows]);
});

/** Milliseconds of each press, of both in turns in random order. */
async function measure(scope: Scope, service: Service, page: string): Promise<{ berth: number[]; novnc: number[] }> {
  const scene = { url: await pageUrl(page), ...SIZE };
  const session = await startSession(service, scene);
  scope.teardown(() => endSession(service, session));
  const taken = { berth: [] as number[], novnc: [] as number[] };
  const sides = [
    { viewer: await watch(scope, session.url), times: taken.berth },
    { viewer: await watch(scope, (await startVnc(scope, scene)).url), times: taken.novnc },
  ];
  showLoad();
  for (let press = -WARM_UP; press < PRESSES; press++) {
    for (const { viewer, times } of shuffled(sides)) {
      await sleep(between(120, 400));
      const ms = await viewer.pressToChange();
      if (press >= 0) times.push(ms);
    }
  }
  return taken;
}

/** Opens a new viewer of a session and waits for its picture. */
async function watch(scope: Scope, url: string): Promise<Viewer> {
  const viewer = await Viewer.open(scope, SIZE);
  await viewer.visit(url);
  await viewer.seesColour(FIRST_COLOUR);
  await viewer.focus();
  return viewer;
}
