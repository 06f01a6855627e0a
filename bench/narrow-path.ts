/**
 * What a viewer on a narrow path sees of a page that changes everywhere, compared with a viewer on a wide path that
 * watched the same session before.
 *
 *   npx tsx bench/narrow-path.ts [kbit/s, default 3000] [round trip in ms, default 40] [page, default motion]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { narrowPath } from '../test/fixtures/networks/narrow-path.js';
import { StreamClient } from '../test/fixtures/viewers/stream-client.js';
import { startBerth, startSession } from './lib/berth.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, summary, SUMMARY_HEAD, table } from './lib/report.js';
import { bench, type Scope } from './lib/scope.js';

const SECONDS = 15;
const SIZE = { width: 1280, height: 720 };
const [kbps = '3000', rttMs = '40', page = 'motion'] = process.argv.slice(2);

interface Watched {
  delays: number[];
  bytes: number;
}

/** Watches for some seconds, after the rate has settled. */
async function watch(scope: Scope, url: string): Promise<Watched> {
  const viewer = await StreamClient.join(url, { audio: false });
  scope.teardown(() => viewer.leave());
  await wait(5000);
  const watched: Watched = { delays: [], bytes: 0 };
  viewer.onFrame = (_frame, message) => {
    watched.delays.push(Number(process.hrtime.bigint() / 1000n - message.readBigUInt64LE(6)) / 1000);
    watched.bytes += message.length;
  };
  await wait(SECONDS * 1000);
  viewer.leave();
  return watched;
}

const rate = ({ delays, bytes }: Watched) =>
  `${(delays.length / SECONDS).toFixed(1)} frames a second, ${((bytes * 8) / SECONDS / 1000).toFixed(0)} kbit/s`;

await bench(`A path of ${kbps} kbit/s and ${rttMs} ms`, async scope => {
  const service = await startBerth(scope);
  const session = await startSession(service, { url: await pageUrl(`${page}.html`), ...SIZE });
  const url = new URL(session.url);
  url.protocol = 'ws:';
  url.pathname += '/stream';
  showLoad();
  const wide = await watch(scope, url.href);
  const path = await narrowPath(scope, Number(url.port), Number(kbps), Number(rttMs) / 2);
  url.port = String(path.port);
  const narrow = await watch(scope, url.href);
  console.log('a frame, from capture to receipt');
  table([SUMMARY_HEAD('ms'), summary('wide path', wide.delays), summary('narrow path', narrow.delays)]);
  console.log(`  wide: ${rate(wide)}; narrow: ${rate(narrow)}`);
});
