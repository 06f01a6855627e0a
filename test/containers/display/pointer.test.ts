import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const desktop = await Desktop.start(t);
const helper = await Helper.sized(t, desktop, { width: 800, height: 600 });
await desktop.launch('sh', '-c', 'exec stdbuf -oL xev -event button > /tmp/events');
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

t.test('buttons are pressed where they are meant', async t => {
  helper.input({ type: 'button', button: 0, down: true, x: 0.5, y: 0.5 });
  helper.input({ type: 'move', x: 1, y: 1 });
  helper.input({ type: 'button', button: 0, down: false, x: 1, y: 1 });
  helper.input({ type: 'button', button: 3, down: true, x: 0, y: 0 });
  helper.input({ type: 'release' });
  await until('all of them', async () => (await buttons()).length >= 4);
  t.same(await buttons(), ['Press 1 400,300', 'Release 1 799,599', 'Press 8 0,0', 'Release 8 0,0']);
});

t.test('the wheel clicks once for 120 pixels, small steps adding up', async t => {
  const before = (await buttons()).length;
  const wheel = (dx: number, dy: number) => helper.input({ type: 'wheel', dx, dy, x: 0.5, y: 0.5 });
  wheel(0, 240);
  for (let i = 0; i < 10; i++) wheel(0, -12);
  wheel(120, 0);
  wheel(-120, 0);
  const clicked = async () => (await buttons()).slice(before).filter(line => line.startsWith('Press'));
  await until('the clicks', async () => (await clicked()).length >= 5);
  t.same((await clicked()).map(line => line.split(' ')[1]), ['5', '5', '4', '7', '6']);
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
