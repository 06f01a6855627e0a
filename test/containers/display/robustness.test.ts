// tags: containers, alone
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { until } from '../../fixtures/until.js';
import { Desktop } from './desktop.js';
import { Helper } from './helper.js';

const desktop = await Desktop.start(t);

/** Asks for a size and waits for the answer. */
async function answers(helper: Helper): Promise<void> {
  const before = helper.mark;
  helper.setDisplay({ width: 640, height: 480 });
  await until('an answer', () => helper.all(MessageType.display, before).length > 0);
}

t.test('messages of every type, with every wrong length and any content, do no harm', async t => {
  const helper = await Helper.start(t, desktop);
  for (let type = 0; type < 256; type++) {
    for (const length of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40]) {
      const body = randomBytes(1 + length);
      body.writeUInt8(type);
      // A valid size is no harm, but a screen of a random one takes its time.
      if (type !== MessageType.setDisplay || length !== 7) helper.send(body);
    }
  }
  helper.input({ type: 'release' }, 0);
  await answers(helper);
});

t.test('oversized and empty messages are skipped', async t => {
  const helper = await Helper.start(t, desktop);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(5_000_000);
  helper.write(length);
  helper.write(Buffer.alloc(5_000_000, 0x30));
  helper.write(Buffer.alloc(4));
  await answers(helper);
});

t.test('impossible displays are ignored', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  const before = helper.mark;
  for (const rest of [
    [0, 0, 0, 4, 60, 0, 0],
    [0, 4, 0, 4, 0, 0, 0],
    [0, 4, 0, 4, 61, 0, 0],
    [0, 4, 0, 4, 60, 3, 0],
  ]) {
    helper.send(Uint8Array.of(MessageType.setDisplay, ...rest));
  }
  await answers(helper);
  t.equal(helper.all(MessageType.display, before).length, 1, 'only the valid one is answered');
});

t.test('it exits when its stdin closes, releasing held keys', async t => {
  const helper = await Helper.sized(t, desktop, { width: 640, height: 480 });
  helper.stream(true, true);
  helper.input({ type: 'key', down: true, keysym: 0xffe1 });
  t.equal(await helper.stop(), 0);
  t.equal(helper.log, '', 'it had nothing to complain of');
});

t.test('without an X server it fails with a clear message', async t => {
  const { status, output } = await desktop.try('DISPLAY=:7 berth-display </dev/null');
  t.equal(status, 1);
  t.match(output, /cannot open the display :7/);
});
