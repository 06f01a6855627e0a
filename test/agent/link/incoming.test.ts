import fc from 'fast-check';
import t from 'tap';
import { keyframe, rate, setDisplay, smallKeyframe, smallLayer, stream } from '../../../src/agent/display/messages.js';
import { parseControl } from '../../../src/agent/link/control.js';
import { classify } from '../../../src/agent/link/incoming.js';
import { encodeInput, type InputEvent } from '../../../src/protocol/input.js';
import { MessageType } from '../../../src/protocol/message-type.js';

const toAll = (message: Uint8Array | number[]) => Buffer.concat([Buffer.alloc(4), Uint8Array.from(message)]);
const display = { width: 1280, height: 720, fps: 24, max_area: 921600, quality: 'smooth', hide_cursor: false } as const;

t.test('keep-alives of older services, which have another name, are understood', async t => {
  for (const type of ['keepAlive', 'touch']) t.same(parseControl(JSON.stringify({ type })), { type });
});

t.test('allowed messages are recognized', async t => {
  t.same(classify(Buffer.from(keyframe())), { type: 'keyframe' });
  t.same(classify(Buffer.from(stream(true, false))), { type: 'stream', video: true, audio: false });
  t.same(classify(Buffer.from(rate(3000))), { type: 'rate', kbps: 3000 });
  t.same(classify(Buffer.from(smallLayer(900))), { type: 'small layer', kbps: 900 });
  t.same(classify(Buffer.from(smallLayer(undefined))), { type: 'small layer', kbps: undefined });
  t.same(classify(Buffer.from(smallKeyframe())), { type: 'small keyframe' });
  t.same(classify(Buffer.from(setDisplay(display))), { type: 'pass' });
  t.same(classify(toAll([MessageType.clipboard, 0x61])), { type: 'pass' });
  const inputs: InputEvent[] = [
    { type: 'move', x: 0, y: 1 },
    { type: 'button', button: 0, down: true, x: 0, y: 0 },
    { type: 'wheel', dx: 0, dy: -53, x: 0, y: 0 },
    { type: 'key', down: true, keysym: 0x61 },
    { type: 'text', text: 'ß' },
    { type: 'release' },
  ];
  for (const input of inputs) t.same(classify(toAll(encodeInput(input))), { type: 'input', event: input }, input.type);
});

t.test('a rate that would freeze the picture is raised', async t => {
  t.same(classify(Buffer.from(rate(0))), { type: 'rate', kbps: 50 });
  t.same(classify(Buffer.from(smallLayer(0))), { type: 'small layer', kbps: 50 });
});

t.test('other messages are refused', async t => {
  for (const bytes of [
    [],
    [MessageType.video, 1],
    [MessageType.key, 2, 1, 0, 0, 0],
    [MessageType.clipboard, 0xff],
    [MessageType.stream, 2, 0],
    [MessageType.setDisplay, 0, 0, 0, 0, 24, 0, 0],
    [MessageType.setDisplay, 0xff, 0xff, 0, 5, 24, 0, 0],
    [MessageType.keyframe, 0],
    [MessageType.smallLayer, 2, 0, 0, 0, 0],
    [MessageType.smallKeyframe, 0],
  ]) {
    t.equal(classify(toAll(bytes)), null, bytes.join(' '));
  }
});

t.test('no input makes it throw', async t => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), bytes => void classify(bytes)),
    { numRuns: 2000 },
  );
  t.pass();
});
