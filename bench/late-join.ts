/** Time until a viewer who joins a session that others are watching sees the picture. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamClient } from '../test/fixtures/viewers/stream-client.js';
import { startBerth, startSession } from './lib/berth.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench } from './lib/scope.js';
import { median } from './lib/statistics.js';
import { Viewer } from './lib/viewer.js';

const ROUNDS = 15;
const SIZE = { width: 1280, height: 720 };
const COLOUR = [0x20, 0x40, 0x80] as const;
/** At most four key frames are made per second: each viewer joins as if nobody else had just done so. */
const PAUSE_MS = 700;

await bench('Joining a session whose page stands still, milliseconds', async scope => {
  const service = await startBerth(scope);
  const session = await startSession(service, { url: await pageUrl('still.html'), ...SIZE });
  const stream = new URL(session.url);
  stream.protocol = 'ws:';
  stream.pathname += '/stream';
  const watching = await StreamClient.join(stream.href);
  scope.teardown(() => watching.leave());
  const viewer = await Viewer.open(scope, SIZE);
  showLoad();
  const [frames, pages] = [[] as number[], [] as number[]];
  for (let round = -1; round < ROUNDS; round++) {
    let began = performance.now();
    const client = await StreamClient.join(stream.href);
    const { at } = await client.saw(({ key }) => key);
    if (round >= 0) frames.push(at - began);
    client.leave();
    await sleep(PAUSE_MS);
    began = performance.now();
    await viewer.visit(session.url);
    await viewer.seesColour(COLOUR);
    if (round >= 0) pages.push(performance.now() - began);
    await viewer.leave();
    await sleep(PAUSE_MS);
  }
  table([
    SUMMARY_HEAD('ms'),
    summary('from connecting to the first frame', frames),
    summary('from opening the page to the picture', pages, 0),
  ]);
  verdict('from opening the page to the picture, ms', median(pages), { atMost: 300 }, 0);
});
