// tags: containers
import t from 'tap';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { startSession } from '../fixtures/pages/pixel-session.js';
import { startService } from '../fixtures/services/service.js';
import { hash } from '../fixtures/pages/pixel-page.js';
import { until } from '../fixtures/until.js';
import { ViewerPage } from '../fixtures/viewers/viewer-page.js';

const COUNT_EVENTS = `
  const seen = { keys: 0, presses: 0, moves: false, scrolled: 0, right: 0 };
  const tell = () => show(Math.min(seen.keys, 7) | Math.min(seen.presses, 7) << 3 | Math.min(seen.right, 3) << 6
    | (seen.moves ? 256 : 0) | (seen.scrolled > 0 ? 512 : 0) | (seen.scrolled < 0 ? 1024 : 0));
  addEventListener('keydown', () => { seen.keys++; tell(); });
  addEventListener('mousedown', event => {
    if (event.button === 2) seen.right++; else if (event.clientY > 200) seen.presses++;
    tell();
  });
  addEventListener('mousemove', event => { if (event.clientX > 600 && event.clientY > 370) { seen.moves = true; tell(); } });
  addEventListener('wheel', event => { seen.scrolled = event.deltaY; tell(); });
  addEventListener('contextmenu', event => event.preventDefault());
  tell();`;

const TEXT = `text.addEventListener('input', () => show(hash(text.value))); show(1);`;

const service = await startService(t);
const browser = await openBrowser(t);

for (const security of ['secure', 'plain'] as const) {
  t.test(`input changes pixels in the viewer, ${security} page`, async t => {
    const session = await startSession(service, COUNT_EVENTS);
    const viewer = await ViewerPage.open(browser, session.url, security, { hasTouch: true });
    await viewer.shows(0);
    t.equal(await viewer.picture(), security === 'secure' ? 'canvas' : 'video', 'the expected way of playing');

    await viewer.page.keyboard.press('a');
    await viewer.shows(1);
    t.pass('a key');
    await viewer.page.mouse.click(100, 300);
    await viewer.shows(1 | (1 << 3));
    t.pass('a click');
    await viewer.page.mouse.click(100, 300, { button: 'right' });
    await viewer.shows(1 | (1 << 3) | (1 << 6));
    t.pass('a right click, without a menu of the viewer’s own');
    await viewer.page.mouse.move(638, 398);
    await viewer.shows(1 | (1 << 3) | (1 << 6) | 256);
    t.pass('a move into the corner, where it is exact');
    await viewer.page.mouse.wheel(0, 120);
    await viewer.shows(1 | (1 << 3) | (1 << 6) | 256 | 512);
    t.pass('the wheel down');
    await viewer.page.mouse.wheel(0, -120);
    await viewer.shows(1 | (1 << 3) | (1 << 6) | 256 | 1024);
    t.pass('the wheel up');
    await viewer.page.touchscreen.tap(200, 300);
    await viewer.shows(1 | (2 << 3) | (1 << 6) | 256 | 1024);
    t.pass('a tap');
    await viewer.close();
    await service.api('DELETE', `/v0/vm/${session.id}`);
  });
}

t.test('buttons and wheels of all kinds arrive', async t => {
  const session = await startSession(
    service,
    `
    let ratio = devicePixelRatio;
    for (const type of ['mousedown', 'auxclick']) {
      addEventListener(type, event => { if (event.button > 1) event.preventDefault(); show(100 * (type === 'auxclick') + event.button); });
    }
    addEventListener('wheel', event => show(event.deltaX > 0 ? 300 : event.deltaX < 0 ? 301 : 302));
    addEventListener('resize', () => {
      if (devicePixelRatio !== ratio) show(devicePixelRatio > ratio ? 400 : 401);
      ratio = devicePixelRatio;
    });
    show(9);`,
  );
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(9);
  const { page } = viewer;
  await page.mouse.move(400, 300);
  await page.mouse.click(400, 300, { button: 'middle' });
  await viewer.shows(101);
  t.pass('the middle button');
  const extra = await page.context().newCDPSession(page);
  for (const [name, number, bit] of [
    ['back', 3, 8],
    ['forward', 4, 16],
  ] as const) {
    const at = { x: 400, y: 300, button: name, clickCount: 1 } as const;
    await extra.send('Input.dispatchMouseEvent', { type: 'mousePressed', buttons: bit, ...at });
    await viewer.shows(number);
    await extra.send('Input.dispatchMouseEvent', { type: 'mouseReleased', buttons: 0, ...at });
    t.pass(`the button that goes ${name}`);
  }
  await page.mouse.wheel(120, 0);
  await viewer.shows(300);
  await page.mouse.wheel(-120, 0);
  await viewer.shows(301);
  t.pass('a wheel that is tilted');
  const pinch = { type: 'mouseWheel', x: 400, y: 300, deltaX: 0, modifiers: 2 } as const;
  await extra.send('Input.dispatchMouseEvent', { ...pinch, deltaY: -21 });
  await until('it zooms', async () => (await viewer.number()) !== 301);
  await extra.send('Input.dispatchMouseEvent', { ...pinch, deltaY: 21 });
  await viewer.shows(401);
  t.pass('a pinch of a touchpad zooms the page, there and back');
  await service.api('DELETE', `/v0/vm/${session.id}`);
  await viewer.close();
});

t.test('keys arrive as they are on the viewer’s keyboard', async t => {
  const session = await startSession(
    service,
    `let keys = '';
    addEventListener('keydown', ({ key, code, shiftKey, repeat }) => {
      keys += [key, code, shiftKey, repeat].join() + ' ';
      show(hash(keys));
    });
    show(1);`,
  );
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(1);
  const devtools = await viewer.page.context().newCDPSession(viewer.page);
  let keys = '';
  for (const [key, code, shift, repeat] of [
    ['ж', 'Semicolon', false, false],
    ['Shift', 'ShiftLeft', true, false],
    ['1', 'Digit1', true, false],
    ['1', 'Digit1', true, true],
    ['€', 'KeyE', false, false],
  ] as const) {
    const down = { type: 'keyDown', key, code, modifiers: shift ? 8 : 0, autoRepeat: repeat } as const;
    await devtools.send('Input.dispatchKeyEvent', key === 'Shift' ? { ...down, location: 1 } : { ...down, text: key });
    keys += `${[key, code, shift, repeat].join()} `;
    await viewer.shows(hash(keys));
    t.pass(`${key} at ${code}`);
  }
  await service.api('DELETE', `/v0/vm/${session.id}`);
  await viewer.close();
});

t.test('text arrives as typed, whatever the script', async t => {
  const session = await startSession(service, TEXT);
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(1);
  let text = '';
  for (const piece of ['Hello, World! ', 'éß€ ñÅ ', '漢字かな ', 'Привет ', '😀👍🏽 ', '{[]}\\|@~^`']) {
    if (/^[ -~]*$/.test(piece)) await viewer.page.keyboard.type(piece);
    else await viewer.page.keyboard.insertText(piece);
    text += piece;
    await viewer.shows(hash(text));
    t.pass(piece);
  }
  await viewer.page.keyboard.down('Shift');
  for (let i = 0; i < 10; i++) await viewer.page.keyboard.press('ArrowLeft');
  await viewer.page.keyboard.up('Shift');
  await viewer.page.keyboard.press('Delete');
  await viewer.shows(hash(text.slice(0, -10)));
  t.pass('modifiers select');
  await service.api('DELETE', `/v0/vm/${session.id}`);
  await viewer.close();
});

t.test('no key stays pressed when the viewer’s page loses the focus', async t => {
  const session = await startSession(
    service,
    `
    let down = 0;
    addEventListener('keydown', event => { if (!event.repeat) show(++down); });
    addEventListener('keyup', () => show(--down));
    show(0);`,
  );
  const viewer = await ViewerPage.open(browser, session.url);
  await viewer.shows(0);
  await viewer.page.keyboard.down('Control');
  await viewer.page.keyboard.down('x');
  await viewer.shows(2);
  await viewer.page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await viewer.shows(0);
  t.pass('both were let go');
  await service.api('DELETE', `/v0/vm/${session.id}`);
  await viewer.close();
});

t.test('text is pasted from the viewer into the session', async t => {
  const session = await startSession(service, TEXT);
  const viewer = await ViewerPage.open(browser, session.url, 'secure', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await viewer.shows(1);
  await viewer.page.evaluate(() => navigator.clipboard.writeText('pasted: 漢字 ✓'));
  await viewer.page.keyboard.press('Control+v');
  await viewer.shows(hash('pasted: 漢字 ✓'));
  t.pass('pasted into the session');
  await service.api('DELETE', `/v0/vm/${session.id}`);
  await viewer.close();
});
