import fc from 'fast-check';
import t from 'tap';
import { decodeInput, encodeInput } from '../../src/protocol/input.js';
import { MessageType } from '../../src/protocol/message-type.js';
import type { TouchEvent } from '../../src/protocol/touch.js';

t.test('touches are decoded as encoded', async t => {
  const event: TouchEvent = {
    type: 'touch',
    phase: 'start',
    points: [
      { id: 3, x: 0, y: 1 },
      { id: 255, x: 1, y: 0 },
    ],
  };
  t.same(decodeInput(encodeInput(event)), event);
  t.same(decodeInput(encodeInput({ type: 'touch', phase: 'end', points: [] })), {
    type: 'touch',
    phase: 'end',
    points: [],
  });
});

t.test('invalid touches are refused', async t => {
  const touch = (...bytes: number[]) => decodeInput(Uint8Array.of(MessageType.touch, ...bytes));
  t.equal(touch(), null, 'nothing');
  t.equal(touch(4, 0), null, 'an unknown phase');
  t.equal(touch(0, 0), null, 'a start without fingers');
  t.equal(touch(3, 1, 0, 0, 0, 0, 0), null, 'a cancel with fingers');
  t.equal(touch(0, 1, 0, 0, 0, 0), null, 'a finger cut short');
  t.equal(touch(0, 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0), null, 'one finger twice');
  t.equal(touch(0, 11, ...new Array(55).fill(0).map((_, i) => i)), null, 'too many fingers');
});

t.test('no input makes it throw', async t => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      bytes => void decodeInput(Uint8Array.of(MessageType.touch, ...bytes)),
    ),
  );
  t.pass();
});
