// tags: containers, alone
/** Viewers who join an Android session on which nothing happens. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import t from 'tap';
import { AndroidSession } from '../fixtures/android/session.js';
import { PICTURES, showsColour, watchAndroid } from '../fixtures/android/viewer.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { freeDevices } from '../fixtures/android/free-devices.js';
import { startService } from '../fixtures/services/service.js';
import { StandIn } from '../fixtures/android/stand-in.js';
import { until } from '../fixtures/until.js';

const LONG_MS = 120_000;
const VIEWERS = 3;

/** What a viewer's picture may take on a still screen, milliseconds. */
const PROMISE_MS = 2000;

const device = await StandIn.start(t);
const service = await startService(t, {
  BERTH_ANDROID_DEVICES: 'adb',
  BERTH_ANDROID_ADB: `${device.host}:5555`,
});
await freeDevices(service);
const browser = await openBrowser(t);
const session = await AndroidSession.start(service);
const first = await watchAndroid(browser, session);
t.teardown(() => first.close());
await showsColour(first, 360, 640, PICTURES.idle);

/** A port that leads to the service, where pages that join wait until there are so many, then join in one moment. */
async function meetingPoint(count: number) {
  const waiting = new Map<Socket, () => void>();
  let met = (_at: number): void => {};
  const all = new Promise<number>(resolve => (met = resolve));
  const wait = (client: Socket, go: () => void) => {
    waiting.set(client, go);
    // The service does not wait for long; the page comes again.
    client.on('close', () => waiting.delete(client));
    if (waiting.size < count) return;
    met(performance.now());
    for (const next of waiting.values()) next();
    waiting.clear();
  };
  const server = createServer(client => {
    const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one
        .setNoDelay(true)
        .on('error', () => other.destroy())
        .on('close', () => other.destroy());
    upstream.pipe(client);
    const pass = (data: Buffer) => {
      upstream.write(data);
      client.pipe(upstream);
    };
    client.once('data', (request: Buffer) => {
      if (!/^upgrade: websocket\r$/im.test(request.toString('latin1'))) return pass(request);
      upstream.write(request);
      // The first message on a page's socket joins.
      client.once('data', (join: Buffer) => {
        client.pause();
        wait(client, () => pass(join));
      });
    });
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { all, embedUrl: session.embedUrl.replace(/:\d+\//, `:${port}/`) };
}

t.test('three at once see it within two seconds, for at most one reset of the encoder', async t => {
  const { all, embedUrl } = await meetingPoint(VIEWERS);
  // Resets keep their distance, also from those of the start.
  const isQuiet = async () => Date.now() / 1000 - ((await device.events('reset')).at(-1)?.time ?? 0) > 3;
  await until('nothing was reset of late', isQuiet, LONG_MS);
  await device.forget();
  const viewers = await Promise.all(Array.from({ length: VIEWERS }, () => watchAndroid(browser, { embedUrl })));
  t.teardown(() => Promise.all(viewers.map(viewer => viewer.close())));
  const met = await all;
  for (const viewer of viewers) await showsColour(viewer, 360, 640, PICTURES.idle);
  const took = performance.now() - met;
  t.ok(took < PROMISE_MS, `the last one after ${Math.round(took)} ms`);
  t.ok((await device.events('reset')).length <= 1);
});
