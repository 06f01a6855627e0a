/** Looking at programs that show something only while a button is held. */
import { encode } from 'fast-png';
import t from 'tap';
import { Looks } from '../../../scripts/check-games/looks.js';
import type { Picture } from '../../../scripts/check-games/picture.js';
import { press, PRESSED } from '../../../scripts/check-games/press.js';
import { decodePad, PadButton } from '../../../src/protocol/pad.js';

const SIZE = { width: 8, height: 8 };
const plain = (level: number) => new Uint8Array(SIZE.width * SIZE.height * 3).fill(level);

/** A program that is white while a button is held, and its session, which ends after so many pressed buttons. */
function holding(endsAfter = Infinity) {
  const held = new Set<number>();
  const pressed: number[] = [];
  const viewer = {
    send: (message: Uint8Array) => {
      const pad = decodePad(message);
      if (pad?.control !== 'button') throw new Error('no button');
      if (pad.down) pressed.push(pad.id);
      if (pad.down) held.add(pad.id);
      else held.delete(pad.id);
    },
  };
  const session = {
    viewer,
    get ended() {
      return pressed.length >= endsAfter && held.size === 0 ? { reason: 'crashed', message: '' } : null;
    },
    screenshot: () =>
      Promise.resolve(Buffer.from(encode({ ...SIZE, channels: 3, depth: 8, data: plain(held.size > 0 ? 255 : 0) }))),
  };
  return { session: session as unknown as Parameters<typeof press>[0] & typeof session, held, pressed };
}

t.test('a picture is taken while each button is held, and none stays held', async t => {
  const { session, held, pressed } = holding();
  const white: Picture = { ...SIZE, data: plain(255) };
  const looks = new Looks(session, white);
  await looks.take();
  await press(session, looks);
  t.same(
    pressed,
    PRESSED.map(button => PadButton[button]),
  );
  t.equal(held.size, 0);
  t.same(
    looks.pictures.map(({ data }) => data[0]),
    [0, ...PRESSED.map(() => 255)],
  );
  t.same(
    looks.scores.map(score => score > 0.9),
    [false, ...PRESSED.map(() => true)],
  );
});

t.test('nothing is pressed once the session has ended', async t => {
  const { session, held, pressed } = holding(2);
  await press(session, new Looks(session, null));
  t.same(pressed, [PadButton.start, PadButton.a]);
  t.equal(held.size, 0);
});
