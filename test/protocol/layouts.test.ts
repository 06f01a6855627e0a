/** The messages of the display helper and of viewers, held against their table in docs/reference/protocol.md and against bytes written down. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { fromHelper, toHelper } from '../../src/protocol/display-helper.js';
import type { Fields, Message } from '../../src/protocol/struct.js';
import { finger, fromViewer, pong } from '../../src/protocol/viewer-wire.js';

const messages = Object.entries<Message<Fields>>({ ...fromHelper, ...toHelper, ...fromViewer, pong });
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

t.test('the protocol’s table has the fields of each message', async t => {
  const rows = new Map(
    (await readFile('docs/reference/protocol.md', 'utf8')).split('\n').flatMap(line => {
      const [, type = '', , , layout = ''] = line.split('|').map(cell => cell.trim());
      const fields = [...layout.matchAll(/`(\w+) (u8|u16|u32|u64|i16)`/g)].map(([, name, size]) => `${name} ${size}`);
      return type.startsWith('0x') ? [[Number(type), fields] as const] : [];
    }),
  );
  for (const [name, { type, layout }] of messages) {
    const whole = name === 'touch' ? [...layout, ...finger.layout] : layout;
    const fields = whole.map(({ name, field }) => `${snake(name)} ${field.name === 'bool' ? 'u8' : field.name}`);
    t.same(fields, rows.get(type), name);
  }
});

t.test('the bytes that helpers of earlier versions exchange', async t => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const place = { x: 1, y: 0x0203 };
  const display = { width: 1280, height: 720, fps: 60, quality: 2, chroma: true };
  t.equal(hex(fromHelper.video.encode({ flags: 3, frame: 5, time: 6n })), '0103050000000600000000000000');
  t.equal(hex(fromHelper.audio.encode({ flags: 0, sequence: 5, time: 6n })), '0200050000000600000000000000');
  t.equal(
    hex(fromHelper.cursor.encode({ visible: true, hotX: 1, hotY: 2, width: 3, height: 4 })),
    '03010100020003000400',
  );
  t.equal(
    hex(fromHelper.patch.encode({ frame: 5, x: 1, y: 2, width: 3, height: 4 }, 0, Uint8Array.of(12, 7, 8, 9))),
    '040500000001000200030004000c070809',
  );
  t.equal(hex(fromHelper.display.encode(display)), '080005d0023c0201');
  t.equal(hex(fromHelper.clipboard.encode({})), '09');
  t.equal(hex(fromHelper.windows.encode({ count: 258 })), '0a0201');
  t.equal(hex(fromHelper.shot.encode({ width: 1, height: 2, top: 3 })), '0b010002000300');
  t.equal(hex(fromHelper.scroll.encode({ dx: -1, dy: 2, ...place })), '0cffff020001000302');
  t.equal(hex(toHelper.move.encode(place)), '1001000302');
  t.equal(hex(toHelper.button.encode({ button: 2, down: true, ...place })), '11020101000302');
  t.equal(hex(toHelper.wheel.encode({ dx: -1, dy: 2, ...place })), '12ffff020001000302');
  t.equal(hex(toHelper.key.encode({ down: true, keysym: 0x61 })), '130161000000');
  t.equal(hex(toHelper.physicalKey.encode({ down: true, keysym: 0x61, code: 24 })), '18016100000018');
  t.equal(hex(toHelper.text.encode({})), '14');
  t.equal(hex(toHelper.release.encode({})), '16');
  t.equal(hex(toHelper.keyframe.encode({})), '30');
  t.equal(hex(toHelper.rate.encode({ kbps: 8000 })), '31401f0000');
  t.equal(hex(toHelper.stream.encode({ video: true, audio: false })), '320100');
  t.equal(hex(toHelper.setDisplay.encode(display)), '330005d0023c0201');
  t.equal(hex(toHelper.screenshot.encode({ width: 320 })), '344001');
  t.equal(hex(toHelper.turn.encode({ dx: 120, dy: -120 })), '35780088ff');
  t.equal(hex(fromHelper.layers.encode({ count: 2 })), '0e02');
  t.equal(hex(toHelper.smallLayer.encode({ on: true, kbps: 8000 })), '3601401f0000');
  t.equal(hex(toHelper.smallKeyframe.encode({})), '37');
  t.equal(hex(toHelper.findTarget.encode(place)), '3801000302');
  t.equal(hex(fromHelper.target.encode({ focused: true })), '0f01');
});

t.test('the bytes that viewers of earlier versions exchange', async t => {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  t.equal(hex(fromViewer.touch.encode({ phase: 1, count: 0 })), '150100');
  t.equal(hex(fromViewer.pad.encode({ player: 1, control: 1, id: 2, value: -2 })), '17010102feff');
  t.equal(hex(fromViewer.ack.encode({ frame: 258 })), '2002010000');
  t.equal(hex(fromViewer.ping.encode({ token: 1n })), '210100000000000000');
  t.equal(hex(pong.encode({ token: 1n })), '220100000000000000');
  t.equal(hex(fromViewer.refresh.encode({})), '23');
});
