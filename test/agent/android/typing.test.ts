import t from 'tap';
import type { Control } from '../../../src/agent/android/scrcpy/control.js';
import { DeviceInput } from '../../../src/agent/android/input/input.js';
import { ANDROID_CLIPBOARD_MAX_BYTES } from '../../../src/protocol/message-type.js';
import type { FromAgent } from '../../../src/protocol/generated/schemas.js';
import { until } from '../../fixtures/until.js';

const SIZE = { width: 720, height: 1280 };
const viewer = { link: {}, user: 1 };
const other = { link: {}, user: 2 };

/** Input for a device whose clipboard has this text; what reaches it is written down. */
function device(clipboard = 'former') {
  const did: unknown[][] = [];
  const copied: string[] = [];
  const told: FromAgent[] = [];
  const control = {
    touch: (...args: unknown[]) => did.push(['touch', ...args]),
    key: (...args: unknown[]) => did.push(['key', ...args]),
    scroll: (...args: unknown[]) => did.push(['scroll', ...args]),
    back: (down: boolean) => did.push(['back', down]),
    type: (text: string) => did.push(['type', text]),
    setClipboard: async (text: string, paste: boolean) => void did.push([paste ? 'paste' : 'clipboard', text]),
    askClipboard: () => {
      did.push(['ask']);
      queueMicrotask(() => input.told(clipboard));
    },
  };
  const input: DeviceInput = new DeviceInput({
    control: () => control as unknown as Control,
    size: () => SIZE,
    freed: () => undefined,
    copied: text => copied.push(text),
    tell: message => told.push(message),
  });
  const key = (keysym: number, down: boolean, who = viewer) => input.take(who, { type: 'key', keysym, down });
  return { input, did, copied, told, key };
}

const SHIFT = 0x41;
const CTRL = 0x3000;

t.test('keys become key codes with the modifiers that are held', async t => {
  const { did, key } = device();
  key(0x61, true);
  key(0x61, true);
  key(0x61, false);
  key(0x61, false);
  t.same(
    did.splice(0),
    [
      ['key', true, 29, 0, 0],
      ['key', true, 29, 1, 0],
      ['key', false, 29, 0, 0],
    ],
    'a, repeated, and released once',
  );
  key(0xffe3, true);
  key(0x63, true);
  t.same(did.splice(0), [
    ['key', true, 113, 0, CTRL],
    ['key', true, 31, 0, CTRL],
  ]);
  key(0x63, false);
  key(0xffe3, false);
  t.same(did.splice(0).at(-1), ['key', false, 113, 0, 0]);
  for (const [keysym, code] of [
    [0x21, 8],
    [0x41, 29],
    [0x7e, 68],
  ] as const) {
    key(keysym, true);
    t.same(did.splice(0), [['key', true, code, 0, SHIFT]], 'a character has its Shift with it');
    key(keysym, false);
    did.length = 0;
  }
  for (const [keysym, code] of [
    [0xff0d, 66],
    [0xff08, 67],
    [0xffff, 112],
    [0xff1b, 111],
    [0xff51, 21],
    [0xffbe, 131],
    [0xffc9, 142],
    [0xffb9, 153],
    [0x20, 62],
  ] as const) {
    key(keysym, true);
    key(keysym, false);
    t.match(did.splice(0), [
      ['key', true, code],
      ['key', false, code],
    ]);
  }
});

t.test('a viewer that has gone holds no keys', async t => {
  const { input, did, key } = device();
  key(0xffe1, true);
  key(0x62, true, other);
  did.length = 0;
  input.left(({ link }) => link === viewer.link);
  t.same(did.splice(0), [['key', false, 59, 0, 0]]);
  key(0x62, false, other);
  t.match(did, [['key', false, 30]]);
});

t.test('text that keys have is typed, other text is pasted, and the former clipboard put back', async t => {
  const { input, did, key, copied } = device();
  input.take(viewer, { type: 'text', text: 'Hello, World!' });
  t.same(did.splice(0), [['type', 'Hello, World!']]);
  input.take(viewer, { type: 'text', text: '你好 😀' });
  key(0x0d + 0xff00, true);
  await until('the clipboard is put back', () => did.some(([what]) => what === 'clipboard'));
  await until('the key follows', () => did.some(([what]) => what === 'key'));
  t.same(
    did.splice(0),
    [['ask'], ['paste', '你好 😀'], ['clipboard', 'former'], ['key', true, 66, 0, 0]],
    'in this order',
  );
  for (const keysym of [0xe9, 0x1004f60, 0x101f600]) key(keysym, true);
  await until('the clipboard is put back', () => did.at(-1)?.[0] === 'clipboard' && did.length >= 4);
  t.same(did, [
    ['paste', 'é'],
    ['clipboard', 'former'],
    ['paste', '你😀'.replace('你', '\u4f60')],
    ['clipboard', 'former'],
  ]);
  t.same(copied, [], 'nobody copied anything');
});

t.test('the clipboard goes both ways, up to what the device takes', async t => {
  const { input, did, copied, told } = device();
  input.told('from an app');
  t.same(copied, ['from an app']);
  input.paste('from a viewer');
  t.same(did.splice(0), [['clipboard', 'from a viewer']]);
  const largest = 'ü'.repeat(ANDROID_CLIPBOARD_MAX_BYTES / 2);
  input.paste(largest);
  t.equal(did.splice(0).length, 1);
  t.same(told, []);
  input.paste(`${largest}.`);
  t.same(did, []);
  t.match(told, [{ type: 'notice', code: 'clipboard_too_large', message: /at most 262130 bytes/ }]);
});

t.test('a mouse: left is a finger, right is back, middle is home, the wheel scrolls', async t => {
  const { input, did } = device();
  const place = { x: 0.5, y: 0.5 };
  const pixel = { x: 360, y: 640, size: SIZE };
  const button = (number: number, down: boolean, who = viewer) =>
    input.take(who, { type: 'button', button: number, down, ...place });
  input.take(viewer, { type: 'move', ...place });
  t.same(did, [], 'a pointer that is only moved touches nothing');
  button(0, true);
  input.take(viewer, { type: 'move', x: 0.25, y: 0.5 });
  input.take(other, { type: 'move', x: 0.75, y: 0.5 });
  button(0, false, other);
  input.take(viewer, { type: 'button', button: 0, down: false, x: 0.25, y: 0.25 });
  t.same(did.splice(0), [
    ['touch', 'down', 256, pixel],
    ['touch', 'move', 256, { ...pixel, x: 180 }],
    ['touch', 'move', 256, { ...pixel, x: 180, y: 320 }],
    ['touch', 'up', 256, { ...pixel, x: 180, y: 320 }],
  ]);
  for (const down of [true, false]) button(2, down);
  for (const down of [true, false]) button(1, down);
  t.same(did.splice(0), [
    ['back', true],
    ['back', false],
    ['key', true, 3, 0, 0],
    ['key', false, 3, 0, 0],
  ]);
  input.take(viewer, { type: 'wheel', dx: 0, dy: 120, ...place });
  input.take(viewer, { type: 'wheel', dx: -60, dy: -12_000, ...place });
  t.same(did, [
    ['scroll', pixel, 0, -1],
    ['scroll', pixel, -0.5, 16],
  ]);
});

t.test('a mouse whose viewer has let go of everything drags nothing, and no button stays down', async t => {
  const { input, did } = device();
  input.take(viewer, { type: 'button', button: 0, down: true, x: 0.5, y: 0.5 });
  for (const button of [1, 2]) input.take(viewer, { type: 'button', button, down: true, x: 0.5, y: 0.5 });
  input.take(viewer, { type: 'release' });
  t.same(
    did.splice(0).map(([what, action]) => [what, action]),
    [
      ['touch', 'down'],
      ['key', true],
      ['key', false],
      ['back', true],
      ['back', false],
      ['touch', 'up'],
    ],
  );
  input.take(viewer, { type: 'move', x: 0.25, y: 0.5 });
  input.take(viewer, { type: 'button', button: 2, down: false, x: 0.5, y: 0.5 });
  t.same(did, []);
});

t.test('viewers are told when the device does not take text', async t => {
  const told: FromAgent[] = [];
  const control = { setClipboard: () => Promise.reject(new Error('closed')) };
  const input = new DeviceInput({
    control: () => control as unknown as Control,
    size: () => SIZE,
    freed: () => undefined,
    copied: () => undefined,
    tell: message => told.push(message),
  });
  input.paste('former');
  input.take(viewer, { type: 'text', text: '你好' });
  await until('it is told', () => told.length > 0);
  t.match(told, [{ type: 'notice', code: 'text_not_typed', message: /did not accept/ }]);
});
