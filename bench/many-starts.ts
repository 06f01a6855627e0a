/**
 * Time from the request to the page's picture when many sessions start at once, beside as many containers of the same
 * Chromium without Berth. Argument: their number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inflateSync } from 'node:zlib';
import type { Service } from '../test/fixtures/services/service.js';
import { until } from '../test/fixtures/until.js';
import { bareStart } from './lib/bare.js';
import { endSession, startBerth, startSession } from './lib/berth.js';
import { plainCommand } from './lib/chromium.js';
import { pageUrl } from './lib/pages.js';
import { showLoad, summary, SUMMARY_HEAD, table, verdict } from './lib/report.js';
import { bench } from './lib/scope.js';
import { median } from './lib/statistics.js';

const COUNT = Number(process.argv[2] ?? 20);
const SIZE = { width: 1280, height: 720 };
const COLOUR = [0x20, 0x40, 0x80] as const;
/** Time limit for the warm pool to fill, and for the engine to remove containers. */
const LONGEST_MS = 300_000;
const PAUSE_MS = 5000;
const LOOK_EVERY_MS = 20;

await bench(`${COUNT} starts at once, milliseconds`, async scope => {
  const scene = { url: await pageUrl('flip.html'), ...SIZE };
  showLoad();
  const rows: string[][] = [];
  const medians: number[] = [];
  for (const [name, warm] of [
    ['warm pool', COUNT],
    ['without', 0],
  ] as const) {
    const service = await startBerth(scope, { warm, most: 2 * COUNT + 1 });
    const full = () =>
      until(
        'the pool is full',
        async () => {
          const { body } = await service.api('GET', '/metrics');
          return Number(/^berth_warm_containers(?:\{[^}]*\})? (\d+)/m.exec(String(body))?.[1]) >= warm;
        },
        LONGEST_MS,
      );
    await full();
    // Tells the pool which browser to prepare: two equal starts replace the waiting ones.
    for (let first = 0; warm > 0 && first < 2; first++) await endSession(service, await startSession(service, scene));
    await sleep(PAUSE_MS);
    await full();
    await sleep(PAUSE_MS);
    const starts = await Promise.all(
      Array.from({ length: COUNT }, async () => {
        const began = performance.now();
        const session = await startSession(service, scene);
        const answered = performance.now() - began;
        while (!(await showsColour(service, session.id))) await sleep(LOOK_EVERY_MS);
        return { session, answered, seen: performance.now() - began };
      }),
    );
    const seen = starts.map(start => start.seen);
    medians.push(median(seen));
    rows.push(
      summary(`Berth, ${name}, to the picture`, seen, 0),
      summary(
        '  of it until the answer',
        starts.map(({ answered }) => answered),
        0,
      ),
    );
    await Promise.all(starts.map(({ session }) => endSession(service, session)));
    await service.stop();
    await sleep(PAUSE_MS);
  }
  const bare = await Promise.all(Array.from({ length: COUNT }, () => bareStart(scene, plainCommand, COLOUR)));
  table([SUMMARY_HEAD('ms'), ...rows, summary('bare containers, to the picture', bare, 0)]);
  verdict('with the warm pool, beside bare containers', (medians[0] ?? NaN) / median(bare), { atMost: 1 });
});

/** Whether the first pixel of a session's display has the page's colour. */
async function showsColour(service: Service, id: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const answer = await fetch(`${service.url}/s/${id}/screenshot?width=64`, { headers });
  const image = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) return false;
  // Chunks begin after the signature: length, type, content, checksum.
  const data: Buffer[] = [];
  for (let at = 8; at + 8 <= image.length; at += 12 + image.readUInt32BE(at)) {
    if (image.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(image.subarray(at + 8, at + 8 + image.readUInt32BE(at)));
  }
  // Behind the filter of the first row, which has no row above to differ from.
  return inflateSync(Buffer.concat(data))
    .subarray(1, 4)
    .every((level, i) => Math.abs(level - (COLOUR[i] ?? 0)) < 8);
}
