// tags: containers
import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const CONTROL = 0xffe3;

const desktop = await Desktop.start(t);
const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
await desktop.launch('sh', '-c', 'exec stdbuf -oL xev -event button -event mouse > /tmp/events');
// The window manager's rules are for windows that have a class; xev's has none.
const classify = 'xdotool search --name "Event Tester" set_window --class xev windowunmap --sync %@ windowmap %@';
await until('the window has a class', async () => (await desktop.try(classify)).status === 0);
await until('the window fills the display', async () => {
  const { output } = await desktop.try('xwininfo -name "Event Tester"');
  return ['IsViewable', 'Width: 800', 'Height: 600'].every(word => output.includes(word));
});
await until('the window is told of', () => helper.all(MessageType.windows).at(-1)?.readUInt16LE(1) === 1);

/** Buttons pressed and released so far, with their places. */
async function buttons(): Promise<string[]> {
  const text = await desktop.read('/tmp/events');
  return [...text.matchAll(/Button(Press|Release) event[^]*?root:\((\d+),(\d+)\)[^]*?button (\d+)/g)].map(
    ([, kind, x, y, button]) => `${kind} ${button} ${x},${y}`,
  );
}

t.test('the pointer that nobody has moved is over no program, and looks as usual', async t => {
  t.equal(helper.all(MessageType.cursor).at(-1)?.[1], 1);
  helper.input({ type: 'move', x: 0.5, y: 0.25 });
  const entries = () => desktop.read('/tmp/events').then(text => text.match(/EnterNotify event[^]*?root:\(\d+,\d+\)/g));
  const [first] = await until('it enters', entries);
  t.match(first, /root:\(400,150\)$/);
});

t.test('buttons are pressed at their positions', async t => {
  helper.input({ type: 'button', button: 0, down: true, x: 0.5, y: 0.5 });
  helper.input({ type: 'move', x: 1, y: 1 });
  helper.input({ type: 'button', button: 0, down: false, x: 1, y: 1 });
  helper.input({ type: 'button', button: 3, down: true, x: 0, y: 0 });
  helper.input({ type: 'release' });
  await until('all of them', async () => (await buttons()).length >= 4);
  t.same(await buttons(), ['Press 1 400,300', 'Release 1 799,599', 'Press 8 0,0', 'Release 8 0,0']);
});

const wheel = (dx: number, dy: number) => helper.input({ type: 'wheel', dx, dy, x: 0.5, y: 0.5 });

/** The buttons that a wheel's clicks press, of the first so many. */
async function clicks(before: number, count: number): Promise<(string | undefined)[]> {
  const clicked = async () => (await buttons()).slice(before).filter(line => line.startsWith('Press'));
  await until('the clicks', async () => (await clicked()).length >= count);
  return (await clicked()).map(line => line.split(' ')[1]);
}

t.test('the wheel clicks once for 120 pixels', async t => {
  const before = (await buttons()).length;
  wheel(0, 240);
  wheel(0, -120);
  wheel(120, 0);
  wheel(-120, 0);
  t.same(await clicks(before, 5), ['5', '5', '4', '7', '6']);
});

t.test('scrolling finer than clicks is reported, to scroll what is under the pointer and has the focus', async t => {
  const before = (await buttons()).length;
  wheel(-3, 50);
  const body = await until('it is told', () => helper.all(MessageType.scroll)[0]);
  t.same([body.readInt16LE(1), body.readInt16LE(3), body.readUInt16LE(5), body.readUInt16LE(7)], [-3, 50, 400, 300]);
  const turn = Buffer.from([MessageType.turn, 0, 0, 0, 0]);
  turn.writeInt16LE(-12, 3);
  for (let i = 0; i < 10; i++) helper.send(turn, 0);
  t.same(await clicks(before, 1), ['4'], 'turned instead, it makes whole clicks');
});

t.test('with Ctrl held the wheel clicks, since it does not scroll then', async t => {
  const [before, told] = [(await buttons()).length, helper.all(MessageType.scroll).length];
  helper.input({ type: 'key', down: true, keysym: CONTROL });
  wheel(0, 119);
  helper.input({ type: 'key', down: false, keysym: CONTROL });
  t.same(await clicks(before, 1), ['5']);
  t.equal(helper.all(MessageType.scroll).length, told);
});

t.test('the cursor is sent when its shape changes, and hidden when a program hides it', async t => {
  await desktop.run('pkill xev');
  helper.input({ type: 'move', x: 0.5, y: 0.5 });
  await until('the window is closed', () => helper.all(MessageType.windows).at(-1)?.readUInt16LE(1) === 0);
  const before = helper.mark;
  // Hides the pointer at the first key press.
  await desktop.launch('xterm', '-xrm', '*pointerMode: 3');
  const body = await until('a cursor', () => helper.all(MessageType.cursor, before).at(-1));
  const [width, height] = [body.readUInt16LE(6), body.readUInt16LE(8)];
  t.equal(body[1], 1, 'it is visible');
  t.ok(width > 0 && height > 0);
  t.equal(body.length, 10 + width * height * 4, 'its pixels follow');
  await until('it is hidden', () => {
    helper.tap(0x78);
    return until('it is', () => helper.all(MessageType.cursor).at(-1)?.[1] === 0, 300).catch(() => false);
  });
  t.equal(helper.all(MessageType.cursor).at(-1)?.length, 10);
});
