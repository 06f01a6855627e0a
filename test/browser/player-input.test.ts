// tags: containers
import t from 'tap';
import type { Page } from 'playwright-core';
import type { InputEvent } from '../../src/protocol/input.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { Fingers } from '../fixtures/viewers/fingers.js';
import { openPlayer } from '../fixtures/viewers/player-page.js';
import { cursorMessage } from '../fixtures/media/recorded-stream.js';
import { until } from '../fixtures/until.js';

const browser = await openBrowser(t);
const inputs = (session: RecordedSession): InputEvent[] =>
  session.received.flatMap(message => (message.is === 'input' ? [message.event] : []));
const keys = (session: RecordedSession) =>
  inputs(session).flatMap(event =>
    event.type === 'key' ? [`${event.down ? '+' : '-'}${event.keysym.toString(16)}`] : [],
  );

/** A phone that is held upright. */
const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };

async function playing(t: { teardown(handler: () => unknown): void }, context = {}): Promise<[RecordedSession, Page]> {
  const session = await RecordedSession.start(t);
  const page = await openPlayer(t, browser, session, 'secure', { context });
  await session.play('wide', 3);
  await until('the picture is there', () => session.received.some(({ is }) => is === 'ack'));
  return [session, page];
}

t.test('typed text reaches the session without a click', async t => {
  const [session, page] = await playing(t);
  await page.keyboard.type('aB');
  await page.keyboard.press('Enter');
  await until('all keys came', () => keys(session).length >= 6);
  t.same(
    keys(session).filter(key => !key.endsWith('ffe1')),
    ['+61', '-61', '+42', '-42', '+ff0d', '-ff0d'],
  );
});

t.test('held keys are released when the page loses the focus', async t => {
  const [session, page] = await playing(t);
  await page.keyboard.down('Control');
  await page.keyboard.down('a');
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await until('the session lets go', () => inputs(session).some(({ type }) => type === 'release'));
  await page.keyboard.up('a');
  await page.keyboard.up('Control');
  await page.keyboard.press('b');
  await until('the next key came', () => keys(session).includes('-62'));
  t.same(keys(session), ['+ffe3', '+61', '+62', '-62'], 'nothing is let go of twice');
});

t.test('text of an input method is sent once composed', async t => {
  const [session, page] = await playing(t);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await devtools.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 });
  await devtools.send('Input.insertText', { text: '日本' });
  await until('the text came', () => inputs(session).some(({ type }) => type === 'text'));
  t.same(inputs(session), [{ type: 'text', text: '日本' }]);
});

t.test('pasting sends the text before the key', async t => {
  const [session, page] = await playing(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.evaluate(() => navigator.clipboard.writeText('from outside €'));
  await page.keyboard.press('Control+v');
  await until('the key came', () => keys(session).includes('-76'));
  const received = session.received.flatMap(message =>
    message.is === 'clipboard' ? [message.text] : message.is === 'input' ? [message.event.type] : [],
  );
  t.same(received.slice(0, 3), ['key', 'from outside €', 'key'], 'Ctrl, the text, V');
});

t.test('text copied in the session is put on the viewer’s clipboard', async t => {
  const [session, page] = await playing(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  session.send({ type: 'clipboard', text: 'from inside' });
  await until('it is there', async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'from inside');
});

t.test('the mouse points at fractions of the picture, with a border or without', async t => {
  const [session, page] = await playing(t, { viewport: { width: 1280, height: 920 } });
  await page.mouse.move(640, 100 + 360);
  await page.mouse.down();
  await page.mouse.move(1279.5, 100 + 719.5);
  await page.mouse.up();
  await page.mouse.click(640, 460, { button: 'right' });
  await page.mouse.wheel(0, 100);
  await until('the wheel came', () => inputs(session).some(({ type }) => type === 'wheel'));
  const near = (value: number, wanted: number) => Math.abs(value - wanted) < 0.002;
  const buttons = inputs(session).flatMap(event => (event.type === 'button' ? [event] : []));
  t.same(
    buttons.map(({ button, down }) => `${button}${down}`),
    ['0true', '0false', '2true', '2false'],
  );
  t.ok(near(buttons[0]!.x, 0.5) && near(buttons[0]!.y, 0.5), JSON.stringify(buttons[0]));
  t.ok(near(buttons[1]!.x, 1) && near(buttons[1]!.y, 1), JSON.stringify(buttons[1]));
  t.match(
    inputs(session).find(({ type }) => type === 'wheel'),
    { dx: 0, dy: 120 },
    'one click of it',
  );

  const before = inputs(session).length;
  await page.mouse.click(640, 20);
  await page.keyboard.press('x');
  await until('the key came', () => keys(session).includes('-78'));
  t.notOk(
    inputs(session)
      .slice(before)
      .some(({ type }) => type === 'button'),
    'a click beside the picture is none',
  );
});

t.test('the picture moves above a phone’s keyboard, to where one types', async t => {
  const [session, page] = await playing(t, { ...PHONE, viewport: { width: 844, height: 390 } });
  const box = async () => {
    const found = await page.locator('#session .stage > *').boundingBox();
    // The whole height of the element is the picture's, and the sides are bars.
    return { top: Math.round(found?.y ?? NaN), height: Math.round(found?.height ?? NaN) };
  };
  const keyboard = (covered: number) =>
    page.evaluate(covered => {
      Object.defineProperty(visualViewport, 'height', { get: () => innerHeight - covered, configurable: true });
      visualViewport?.dispatchEvent(new Event('resize'));
    }, covered);
  await page.touchscreen.tap(422, 290);
  await until('the tap came', () => inputs(session).some(({ type }) => type === 'button'));
  await page.locator('.grip').tap();
  await page.getByRole('button', { name: 'Keyboard' }).tap();
  await keyboard(230);
  t.same(
    await box(),
    { top: 80 - 290, height: 390 },
    'it keeps its size, and the place is in the middle of what is left',
  );

  await page.touchscreen.tap(200, 40);
  await until('another tap came', () => inputs(session).filter(({ type }) => type === 'button').length === 4);
  const tap = inputs(session).findLast(({ type }) => type === 'button') as { y: number };
  t.ok(Math.abs(tap.y - (40 + 210) / 390) < 0.003, `a tap is where it is seen: ${tap.y}`);
  const bar = await page.locator('.bar').boundingBox();
  t.ok((bar?.y ?? 999) + (bar?.height ?? 0) <= 160, 'the bar is above the keyboard, too');

  await keyboard(0);
  t.same(await box(), { top: 0, height: 390 }, 'and returns');
});

t.test('two fingers enlarge the picture, and a tap of both shows all of it again', async t => {
  const [session, page] = await playing(t, PHONE);
  const box = () => page.locator('#session .stage > *').boundingBox();
  const fingers = await Fingers.on(page);
  await fingers.down(1, { x: 145, y: 422 });
  await fingers.down(2, { x: 245, y: 422 });
  for (const x of [20, 60, 100]) {
    await fingers.move(1, { x: 145 - x, y: 422 });
    await fingers.move(2, { x: 245 + x, y: 422 });
  }
  await fingers.up(1);
  await fingers.up(2);
  t.ok(Math.abs(((await box())?.width ?? 0) - 3 * 390) < 2, 'as far as the fingers');

  await page.touchscreen.tap(195 + 117, 422);
  await until('the tap came', () => inputs(session).some(({ type }) => type === 'button'));
  const tap = inputs(session).find(({ type }) => type === 'button') as { x: number; y: number };
  t.ok(Math.abs(tap.x - 0.6) < 0.002 && Math.abs(tap.y - 0.5) < 0.002, `the tap is where it is seen: ${tap.x}`);

  const tapOfBoth = async () => {
    await fingers.down(1, { x: 145, y: 422 });
    await fingers.down(2, { x: 245, y: 422 });
    await fingers.up(1);
    await fingers.up(2);
  };
  await tapOfBoth();
  t.equal((await box())?.width, 390, 'all of it');
  await tapOfBoth();
  t.equal((await box())?.width, 2 * 390, 'more of it: the display is 640 pixels wide');
  t.notOk(
    inputs(session).some(({ type }) => type === 'wheel' || type === 'touch'),
    'nothing of it reaches the session',
  );
});

t.test('a finger taps, and a button opens the phone’s keyboard', async t => {
  const [session, page] = await playing(t, PHONE);
  await page.touchscreen.tap(195, 422);
  await until('the tap came', () => inputs(session).filter(({ type }) => type === 'button').length === 2);
  t.match(
    inputs(session).map(event => [event.type, 'down' in event ? event.down : null]),
    [
      ['move', null],
      ['button', true],
      ['button', false],
    ],
  );
  await page.locator('.grip').tap();
  await page.getByRole('button', { name: 'Keyboard' }).tap();
  await page.keyboard.insertText('hi');
  await until('the text came', () => inputs(session).some(event => event.type === 'text' && event.text === 'hi'));
});

t.test('the page shows the session’s cursor', async t => {
  const [session, page] = await playing(t);
  const cursor = () => page.locator('#session .stage').evaluate(stage => getComputedStyle(stage).cursor);
  session.send(cursorMessage(16, [255, 0, 0, 255]));
  await until('the cursor changed', async () => (await cursor()).startsWith('url("data:image/png'));
  t.match(await cursor(), / 1 1, default$/);
});
