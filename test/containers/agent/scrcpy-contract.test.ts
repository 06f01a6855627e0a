// tags: containers
import { execFile } from 'node:child_process';
import t from 'tap';
import { CALL_KEYS } from '../../../src/agent/android/input/key-codes.js';
import { serverOptions } from '../../../src/agent/android/scrcpy/options.js';
import type { Control, KeyCode } from '../../../src/agent/android/scrcpy/control.js';
import { BIT_RATES } from '../../../src/agent/android/video/rates.js';
import { ANDROID_CLIPBOARD_MAX_BYTES } from '../../../src/protocol/message-type.js';
import { buildImage } from '../../fixtures/engines/docker.js';
import { imageName } from '../../fixtures/engines/images.js';
import { writtenControl } from '../../fixtures/android/scrcpy-control.js';

const SIZE = { width: 720, height: 1280 };
const PLACE = { x: 10, y: 20, size: SIZE };
const POSITION = 'position=Position{point=Point{x=10, y=20}, screenSize=720x1280}';

const device = `DEVICE_IMAGE=${imageName('android-device')}`;
const image = await buildImage(
  '--build-arg',
  device,
  '-t',
  'berth-test/scrcpy-contract',
  'test/fixtures/android/scrcpy-contract',
);

/** What the real server's classes say. */
function server(args: readonly string[], input: Buffer = Buffer.alloc(0)): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'docker',
      ['run', '--rm', '-i', '--network', 'none', image, ...args],
      { encoding: 'buffer', maxBuffer: 16 << 20 },
      (error, stdout, stderr) => (error ? reject(new Error(stderr.toString())) : resolve(stdout)),
    );
    child.stdin?.end(input);
  });
}

const lines = (output: Buffer) => output.toString().trimEnd().split('\n');

/** How the real server understands what is sent to it. */
async function understood(send: (control: Control) => void): Promise<string[]> {
  const { control, written } = writtenControl();
  send(control);
  return lines(await server(['messages'], await written()));
}

t.test('touches reach the real server with finger, place, size and pressure', async t => {
  const told = await understood(control => {
    control.touch('down', 3, PLACE);
    control.touch('move', 9, PLACE);
    control.touch('up', 256, PLACE);
  });
  t.same(told, [
    `{pointerId=3, ${POSITION}, pressure=1.0, type=2}`,
    `{action=2, pointerId=9, ${POSITION}, pressure=1.0, type=2}`,
    `{action=1, pointerId=256, ${POSITION}, type=2}`,
  ]);
});

t.test('keys, scrolling and text', async t => {
  const told = await understood(control => {
    control.key(true, 29, 2, 0x41);
    control.key(false, 29, 0, 0);
    control.scroll(PLACE, -0.5, 16);
    control.back(true);
    control.back(false);
    control.type('Hello, World!');
    void control.setClipboard('你好 😀', true);
    void control.setClipboard('', false);
    control.askClipboard();
  });
  t.same(told, [
    '{keycode=29, metaState=65, repeat=2}',
    '{action=1, keycode=29}',
    `{hScroll=-0.5, ${POSITION}, type=3, vScroll=16.0}`,
    '{type=4}',
    '{action=1, type=4}',
    '{text=Hello, World!, type=1}',
    '{paste=true, sequence=1, text=你好 😀, type=9}',
    '{sequence=2, text=, type=9}',
    '{type=8}',
  ]);
});

t.test('keys of calls, panels, rotation and resets', async t => {
  const codes = Object.values(CALL_KEYS).filter(key => typeof key === 'number');
  const told = await understood(control => {
    for (const code of codes) control.key(true, code as KeyCode, 0, 0);
    for (const panel of ['notifications', 'settings', 'none'] as const) control.panel(panel);
    control.rotate();
    control.reset();
  });
  t.same(told, [
    ...codes.map(code => `{keycode=${code}}`),
    '{type=5}',
    '{type=6}',
    '{type=7}',
    '{type=11}',
    '{type=17}',
  ]);
});

t.test('the largest clipboard is taken', async t => {
  const [told = ''] = await understood(control => {
    void control.setClipboard('x'.repeat(ANDROID_CLIPBOARD_MAX_BYTES), false);
  });
  t.equal(told.length, ANDROID_CLIPBOARD_MAX_BYTES + '{sequence=1, text=, type=9}'.length);
});

t.test('its options are understood, and another version is refused', async t => {
  const picture = (bitRate: number) =>
    serverOptions({ sends: 'picture', largestSide: 1280, fps: 30, bitRate }, '1234abcd');
  for (const bitRate of BIT_RATES) {
    const options = picture(bitRate);
    const [told = ''] = lines(await server(['options', options.version, ...options.serialize()]));
    for (const option of [
      /control=true/,
      /video=true/,
      /maxSize=1280/,
      /maxFps=30\.0/,
      /scid=305441741/,
      /clipboardAutosync=true/,
    ])
      t.match(told, option);
    t.match(told, new RegExp(`videoBitRate=${bitRate}\\b`));
    t.notMatch(told, /audio=true|cleanup=true|stayAwake=true|sendDeviceMeta=true|tunnelForward=true/);
  }
  const sound = serverOptions({ sends: 'sound' }, '1234abcd');
  const [told = ''] = lines(await server(['options', sound.version, ...sound.serialize()]));
  t.match(told, /audio=true, audioBitRate=128000/);
  t.notMatch(told, /control=true|video=true|cleanup=true/);
  t.same(lines(await server(['options', '4.1', ...sound.serialize()])), [
    'refused: The server version (3.3.3) does not match the client (4.1)',
  ]);
});

t.test('a touch with the size of before a rotation is dropped, so fingers are lifted with the new one', async t => {
  t.same(lines(await server(['position', '720', '1280', '10', '20', '720', '1280'])), ['Point{x=10, y=20}']);
  t.same(lines(await server(['position', '720', '1280', '10', '20', '1280', '720'])), ['null']);
});

t.test("the server's messages are understood", async t => {
  const bytes = await server(['device', '你好 😀']);
  const { deviceMessageParsers, clipboard } = serverOptions(
    { sends: 'picture', largestSide: 1280, fps: 30, bitRate: 4_000_000 },
    '1234abcd',
  );
  let at = 0;
  const stream = {
    position: 0,
    readExactly: (length: number) => bytes.subarray(at, (at += length)),
  };
  const text = clipboard?.getReader().read();
  t.equal(stream.readExactly(1)[0], 0);
  await deviceMessageParsers.parse(0, stream);
  t.same(await text, { done: false, value: '你好 😀' });
  t.equal(stream.readExactly(1)[0], 1);
  t.equal(bytes.subarray(at).readBigUInt64BE(), 7n);
});
