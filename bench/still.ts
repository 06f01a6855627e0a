/** The CPU usage of a session while its page is still. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBerth, startSession } from './lib/berth.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, table, verdict } from './lib/report.js';
import { bench } from './lib/scope.js';
import { coresBetween, usageOf } from './lib/usage.js';
import { Viewer } from './lib/viewer.js';

const SECONDS = 30;
/** By then the browser has started and the refining frame has been sent. */
const SETTLE_MS = 10_000;
const SIZE = { width: 1280, height: 720 };
const COLOUR = [0x20, 0x40, 0x80] as const;

await bench(`A still page for ${SECONDS} s, with a viewer`, async scope => {
  const service = await startBerth(scope);
  const session = await startSession(service, { url: await pageUrl('still.html'), ...SIZE });
  const viewer = await Viewer.open(scope, SIZE);
  await viewer.visit(session.url);
  await viewer.seesColour(COLOUR);
  await sleep(SETTLE_MS);
  showLoad();
  const [before, videoBefore] = [await usageOf(session.container), await viewer.received()];
  await sleep(SECONDS * 1000);
  const [after, videoAfter] = [await usageOf(session.container), await viewer.received()];
  const cores = coresBetween(before, after);
  table([['', '% of a core'], ...[...cores].map(([name, share]) => [name, (share * 100).toFixed(2)])]);
  const display = (cores.get('berth-display') ?? NaN) + (cores.get('node') ?? NaN);
  verdict('display helper and agent, % of a core', display * 100, { atMost: 1 });
  verdict('video bytes', videoAfter.videoBytes - videoBefore.videoBytes, { atMost: 0 }, 0);
});
