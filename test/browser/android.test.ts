// tags: containers
import t from 'tap';
import { AndroidSession } from '../fixtures/android/session.js';
import { PICTURES, placeOf, showsColour, watchAndroid } from '../fixtures/android/viewer.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { openBar } from '../fixtures/viewers/player-page.js';
import { freeDevices } from '../fixtures/android/free-devices.js';
import { startService } from '../fixtures/services/service.js';
import { StandIn } from '../fixtures/android/stand-in.js';
import { until } from '../fixtures/until.js';

const { idle: IDLE, key: KEY, fingers: FINGERS } = PICTURES;
const TONE_HZ = 440;
const [DOWN, UP] = [0, 1];
const LONG_MS = 120_000;

const device = await StandIn.start(t);
const service = await startService(t, {
  BERTH_ANDROID_DEVICES: 'adb',
  BERTH_ANDROID_ADB: `${device.host}:5555`,
});
await freeDevices(service);
const browser = await openBrowser(t);
const session = await AndroidSession.start(service);
const viewer = await watchAndroid(browser, session);
t.teardown(() => viewer.close());

t.test("the device's picture is in the page", async () => {
  await showsColour(viewer, 360, 640, IDLE);
});

t.test('fingers arrive from their first contact, each at its place', async t => {
  await device.forget();
  const cdp = await viewer.page.context().newCDPSession(viewer.page);
  const touch = (type: 'touchStart' | 'touchEnd', points: object[]) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points as { x: number; y: number }[] });
  const parts = [
    [0.25, 0.25],
    [0.75, 0.5],
    [0.5, 0.75],
  ] as const;
  const points = await Promise.all(parts.map(async (part, id) => ({ ...(await placeOf(viewer, part)), id })));
  await touch('touchStart', points.slice(0, 1));
  await showsColour(viewer, 180, 320, FINGERS[0]);
  await touch('touchStart', points);
  for (const [id, [x, y]] of parts.entries()) await showsColour(viewer, x * 720, y * 1280, FINGERS[id]);
  await touch('touchEnd', []);
  await showsColour(viewer, 180, 320, IDLE);
  const events = (await device.logged('touch', 6)).filter(({ action }) => action === DOWN || action === UP);
  const near = (at: unknown, part = 0, size = 1) => Math.abs(Number(at) - part * size) <= 3;
  for (const [id, [x, y]] of parts.entries()) {
    const own = events.filter(({ pointer }) => pointer === id);
    t.same(
      own.map(({ action, dropped }) => [action, dropped]),
      [
        [DOWN, false],
        [UP, false],
      ],
      `finger ${id}`,
    );
    t.ok(near(own[0]?.['x'], x, 720) && near(own[0]?.['y'], y, 1280), `at ${own[0]?.['x']},${own[0]?.['y']}`);
  }
});

t.test('ten fingers arrive, each with its place', async t => {
  await device.forget();
  const cdp = await viewer.page.context().newCDPSession(viewer.page);
  const parts = Array.from({ length: 10 }, (_, id) => [0.1 + 0.08 * id, 0.15 + 0.07 * id] as const);
  const touchPoints = await Promise.all(parts.map(async (part, id) => ({ ...(await placeOf(viewer, part)), id })));
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const begun = (await device.logged('touch', 10)).filter(({ action }) => action === DOWN);
  t.same(new Set(begun.map(({ pointer }) => pointer)).size, 10, 'ten ids');
  for (const [x, y] of parts) {
    const isThere = ({ x: atX, y: atY }: Record<string, unknown>) =>
      Math.abs(Number(atX) - x * 720) <= 3 && Math.abs(Number(atY) - y * 1280) <= 3;
    t.equal(begun.filter(isThere).length, 1, `a finger at ${x.toFixed(2)}, ${y.toFixed(2)}`);
  }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  const isOver = async () => (await device.events('touch')).filter(({ action }) => action === UP).length === 10;
  await until('all are lifted', isOver, LONG_MS);
});

t.test('a key arrives while it is held', async t => {
  await device.forget();
  await viewer.page.evaluate(() => document.querySelector<HTMLElement>('#session')?.focus());
  await viewer.page.keyboard.down('a');
  await showsColour(viewer, 360, 640, KEY);
  await viewer.page.keyboard.up('a');
  await showsColour(viewer, 360, 640, IDLE);
  t.match(await device.logged('key', 2), [
    { action: DOWN, code: 29 },
    { action: UP, code: 29 },
  ]);
});

t.test("the bar has the device's keys", async t => {
  await device.forget();
  await openBar(viewer.page);
  await viewer.page.getByRole('button', { name: 'Recent apps' }).click();
  await viewer.page.getByRole('button', { name: 'Back', exact: true }).click();
  t.match(await device.logged('key', 4), [{ code: 187 }, { code: 187 }, { code: 4 }, { code: 4 }]);
  await device.forget();
  await viewer.page.getByRole('button', { name: 'Rotate' }).click();
  await device.logged('rotate');
  await showsColour(viewer, 1200, 640, IDLE);
  await viewer.page.getByRole('button', { name: 'Rotate' }).click();
  await device.logged('rotate', 2);
  await showsColour(viewer, 360, 1200, IDLE);
  // As long as devices take that have no graphics card, or are behind a slow network.
  await device.set('screencap-seconds', '4');
  const saved = viewer.page.waitForEvent('download').catch(async (error: unknown) => {
    throw new Error(`the page says "${await viewer.status()}"`, { cause: error });
  });
  await viewer.page.getByRole('button', { name: 'Screenshot' }).click();
  t.match((await saved).suggestedFilename(), /^screenshot-.*\.png$/);
});

t.test('its sound, in packets of 20 ms, is heard', async t => {
  let heard = { frequency: 0, level: 0 };
  const isTone = async () => {
    heard = await viewer.sound();
    return heard.level > 100 && Math.abs(heard.frequency - TONE_HZ) < 30;
  };
  await until(() => `the tone, not ${heard.frequency} Hz at ${heard.level}`, isTone, LONG_MS);
  t.pass(`${heard.frequency.toFixed(0)} Hz`);
});

t.test('the picture follows a turn of the device', async t => {
  t.equal((await session.call('android.rotate', 'landscape')).status, 200);
  await showsColour(viewer, 1200, 640, IDLE);
});

t.test('a viewer that comes late sees a screen on which nothing happens', async t => {
  const late = await watchAndroid(browser, session);
  t.teardown(() => late.close());
  await showsColour(late, 1200, 640, IDLE);
});

t.test('a session for which no device is free is refused', async t => {
  const { status, body } = await service.api('POST', '/v0/android', {});
  t.match({ status, body }, { status: 429, body: { code: 'capacity' } });
});
