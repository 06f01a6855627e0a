// tags: containers
/** An Android session at a desk: mouse, keyboard, clipboard and files, and what the page says when the device is away. */
import t from 'tap';
import { narrowPath } from '../fixtures/networks/narrow-path.js';
import { AndroidSession } from '../fixtures/android/session.js';
import { PICTURES, placeOf, showsColour, watchAndroid } from '../fixtures/android/viewer.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { freeDevices } from '../fixtures/android/free-devices.js';
import { startService } from '../fixtures/services/service.js';
import { SIGNED_APP, signedApk } from '../fixtures/android/signed-apk.js';
import { StandIn, type StandInEvent } from '../fixtures/android/stand-in.js';
import { until } from '../fixtures/until.js';

const LONG_MS = 120_000;
const [DOWN, UP, MOVE] = [0, 1, 2];
const MOUSE_FINGER = 256;
const BACK_OR_SCREEN_ON = 4;

const apk = await signedApk();
const device = await StandIn.start(t);
const service = await startService(t, {
  BERTH_ANDROID_DEVICES: 'adb',
  BERTH_ANDROID_ADB: `${device.host}:5555`,
  BERTH_ANDROID_LOST_TIMEOUT: '10',
});
const browser = await openBrowser(t);
await freeDevices(service);
await device.set('props/sys.boot_completed', '');
const session = await AndroidSession.start(service, { default_roles: ['control', 'clipboard_copy', 'file_upload'] });
const viewer = await watchAndroid(browser, session, {
  viewport: { width: 1280, height: 800 },
  hasTouch: false,
  permissions: ['clipboard-read', 'clipboard-write'],
});
const { page } = viewer;
t.teardown(() => viewer.close());

const says = (text: string) => until(`the page says "${text}"`, async () => (await viewer.status()) === text, LONG_MS);
const near = (at: unknown, wanted: number) => Math.abs(Number(at) - wanted) <= 3;

t.test('the page says how far the device is, then shows its picture', async () => {
  await says('The device is booting.');
  await device.run('rm /stand-in/props/sys.boot_completed');
  await showsColour(viewer, 360, 640, PICTURES.idle);
  await says('');
});

t.test('a mouse is a finger, back, home and a wheel', async t => {
  await device.forget();
  const [from, to] = [await placeOf(viewer, [0.25, 0.25]), await placeOf(viewer, [0.75, 0.5])];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  const touches = await device.logged('touch', 3);
  t.ok(touches.every(({ pointer, dropped }) => pointer === MOUSE_FINGER && dropped === false));
  const [first, last] = [touches[0], touches.at(-1)];
  t.match([first?.['action'], last?.['action']], [DOWN, UP]);
  t.ok(touches.slice(1, -1).every(({ action }) => action === MOVE));
  t.ok(near(first?.['x'], 180) && near(first?.['y'], 320), `down at ${first?.['x']},${first?.['y']}`);
  t.ok(near(last?.['x'], 540) && near(last?.['y'], 640), `up at ${last?.['x']},${last?.['y']}`);
  await page.mouse.click(to.x, to.y, { button: 'right' });
  t.match(await device.logged('control', 2), [{ kind: BACK_OR_SCREEN_ON }, { kind: BACK_OR_SCREEN_ON }]);
  await page.mouse.click(to.x, to.y, { button: 'middle' });
  t.match(await device.logged('key', 2), [
    { action: DOWN, code: 3 },
    { action: UP, code: 3 },
  ]);
  await page.mouse.wheel(0, 120);
  const [scrolled] = await device.logged('scroll');
  t.ok(Number(scrolled?.['down']) < 0 && near(scrolled?.['x'], 540), JSON.stringify(scrolled));
});

t.test('text that no key has is pasted, and the clipboard is what it was', async t => {
  await device.set('copied', 'of the device');
  const mine = () => page.evaluate(() => navigator.clipboard.readText());
  await until(
    "what is copied on the device is on the viewer's clipboard",
    async () => (await mine()) === 'of the device',
  );
  await device.forget();
  await page.locator('#session').focus();
  await page.keyboard.insertText('你好 😀');
  await showsColour(viewer, 360, 640, PICTURES.text);
  t.match(await device.logged('pasted'), [{ text: '你好 😀' }]);
  t.match((await device.logged('clipboard', 2)).at(-1), { text: 'of the device', paste: false });
});

t.test("the viewer's clipboard is on the device before the keys that paste it", async t => {
  await page.evaluate(() => navigator.clipboard.writeText('of the viewer'));
  await device.forget();
  await page.keyboard.press('Control+v');
  t.match(await device.logged('clipboard'), [{ text: 'of the viewer', paste: false }]);
  await device.logged('key', 4);
  const events = (await device.events('clipboard', 'key')).map(({ type, code }) => code ?? type);
  t.ok(events.indexOf('clipboard') < events.indexOf(50), `before V: ${events.join()}`);
});

t.test('files that are dropped go among the downloads, and apps are installed', async t => {
  const files = [
    { name: 'Bericht März.txt', content: Buffer.from('März').toString('base64') },
    { name: 'app.apk', content: apk.toString('base64') },
  ];
  const { x, y } = await placeOf(viewer, [0.5, 0.5]);
  await page.evaluate(
    ({ files, x, y }) => {
      const dataTransfer = new DataTransfer();
      for (const { name, content } of files)
        dataTransfer.items.add(new File([Uint8Array.from(atob(content), it => it.charCodeAt(0))], name));
      for (const type of ['dragenter', 'drop'])
        document
          .getElementById('session')
          ?.dispatchEvent(
            new DragEvent(type, { clientX: x, clientY: y, dataTransfer, bubbles: true, cancelable: true }),
          );
    },
    { files, x, y },
  );
  t.match(await device.logged('installed'), [{ app: SIGNED_APP }]);
  t.equal(await device.run('cat "/sdcard/Download/Bericht März.txt"; ls /sdcard/Download'), 'MärzBericht März.txt');
});

t.test('a mouse that is held while the device turns is lifted, and the picture turns', async t => {
  await device.forget();
  const { x, y } = await placeOf(viewer, [0.5, 0.25]);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await device.logged('touch');
  await session.call('android.rotate', 'landscape');
  await showsColour(viewer, 1200, 640, PICTURES.idle);
  const [, lifted] = await device.logged('touch', 2);
  t.match(lifted, { action: UP, pointer: MOUSE_FINGER, dropped: false, size: [1280, 720] });
  await page.mouse.up();
  await session.call('android.rotate', 'portrait');
});

t.test('on a narrow path the bit rate changes, and the picture is never dark', async t => {
  const { port } = await narrowPath(t, Number(new URL(service.url).port), 1200, 20);
  const embedUrl = session.embedUrl.replace(/:\d+\//, `:${port}/`);
  const isOfPicture = ({ args }: StandInEvent) => !(args as string[]).includes('video=false');
  const first = (await device.events('server')).findLast(isOfPicture);
  await device.forget();
  await device.run('touch /stand-in/noise');
  const narrow = await watchAndroid(browser, { embedUrl });
  t.teardown(() => narrow.close());
  await showsColour(narrow, 360, 200, PICTURES.idle);
  await viewer.close();
  await narrow.page.evaluate(observe);
  const next = await until('another server', async () => (await device.events('server')).find(isOfPicture), LONG_MS);
  t.match((next['args'] as string[]).join(' '), /video_bit_rate=[124]000000\b/);
  const isOver = async () => (await device.run(`[ -e /proc/${first?.['pid']} ] || echo over`)) === 'over';
  await until('it has replaced the first', isOver, LONG_MS);
  const drawn = await narrow.page.evaluate(() => (window as unknown as { seen: { drawn: number } }).seen.drawn);
  const seen = () =>
    narrow.page.evaluate(() => (window as unknown as { seen: { drawn: number; darkest: number } }).seen);
  await until('it is drawn further', async () => (await seen()).drawn > drawn + 10, LONG_MS);
  await device.run('rm /stand-in/noise');
  const { darkest } = await seen();
  t.ok(darkest > 60, `never darker than ${darkest}`);
  await narrow.close();
});

t.test('the page says that the device is away, shows it when it is back, and says why the session ends', async t => {
  const other = await watchAndroid(browser, session);
  t.teardown(() => other.close());
  await showsColour(other, 360, 640, PICTURES.idle);
  // As one before Android 11, whose sound cannot be obtained.
  await device.set('props/ro.build.version.sdk', '29');
  await other.page.evaluate(noteNotices);
  for (let loss = 1; loss <= 2; loss++) {
    await device.goAway();
    await until('the page says so', async () => /device/i.test(await other.status()), LONG_MS);
    await device.comeBack();
    await until('it says nothing', async () => (await other.status()) === '', LONG_MS);
    await showsColour(other, 360, 640, PICTURES.idle);
  }
  t.same(
    await other.page.evaluate(() => (window as unknown as { notices: string[] }).notices),
    ['This device has no sound: it needs Android 11 or later.'],
    'what the device lacks is said once',
  );
  await device.goAway();
  await until('it says why', async () => /The device was lost for 10 s\./.test(await other.status()), LONG_MS);
});

/** Runs in the page: notes what it says at its upper edge from now on. */
function noteNotices(): void {
  const notices: string[] = [];
  Object.assign(window, { notices });
  const added = (node: Node) => node instanceof HTMLElement && node.matches('.notice') && notices.push(node.innerText);
  new MutationObserver(records => records.forEach(({ addedNodes }) => addedNodes.forEach(added))).observe(
    document.querySelector('.messages') as HTMLElement,
    { childList: true },
  );
}

/** Runs in the page: notes with each picture that the screen shows how dark the device's upper half is. */
function observe(): void {
  const seen = { drawn: 0, darkest: 255 };
  Object.assign(window, { seen });
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const look = () => {
    const root = document.getElementById('session')?.shadowRoot;
    const picture = root?.querySelector<HTMLCanvasElement | HTMLVideoElement>('.stage canvas, .stage video');
    canvas?.clearRect(0, 0, 1, 1);
    if (picture) canvas?.drawImage(picture, 360, 200, 1, 1, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
    seen.darkest = Math.min(seen.darkest, red, green, blue);
    seen.drawn++;
    requestAnimationFrame(look);
  };
  look();
}
