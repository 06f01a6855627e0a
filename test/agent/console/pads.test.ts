import t from 'tap';
import { Pads, padPacket } from '../../../src/agent/console/pads.js';
import { decodePad, encodePad, PadButton, type PadEvent } from '../../../src/protocol/pad.js';

t.test('changes of pads are decoded as encoded', async t => {
  const events: PadEvent[] = [
    { type: 'pad', player: 0, control: 'button', id: PadButton.a, down: true },
    { type: 'pad', player: 3, control: 'button', id: PadButton.r3, down: false },
    { type: 'pad', player: 1, control: 'axis', id: 2, value: -1 },
    { type: 'pad', player: 1, control: 'axis', id: 3, value: 1 },
  ];
  for (const event of events) t.same(decodePad(encodePad(event)), event);
});

t.test('messages for pads that do not exist are refused', async t => {
  const message = (...bytes: number[]) => decodePad(Uint8Array.from([0x17, ...bytes]));
  t.ok(message(0, 0, 0, 1, 0));
  t.equal(message(4, 0, 0, 1, 0), null, 'a fifth player');
  t.equal(message(0, 0, 16, 1, 0), null, 'a button too many');
  t.equal(message(0, 1, 4, 1, 0), null, 'an axis too many');
  t.equal(message(0, 2, 0, 1, 0), null, 'neither button nor axis');
  t.equal(message(0, 0, 0, 2, 0), null, 'a button pressed twice');
  t.equal(message(0, 0, 0, 1), null, 'too short');
});

t.test('emulators get RetroPad datagrams', async t => {
  const button = padPacket({ type: 'pad', player: 1, control: 'button', id: 8, down: true });
  t.equal(button.toString('hex'), '01000000' + '01000000' + '00000000' + '08000000' + '0100' + '0000');
  const stick = padPacket({ type: 'pad', player: 0, control: 'axis', id: 3, value: -1 });
  t.equal(stick.toString('hex'), '00000000' + '05000000' + '01000000' + '01000000' + '0180' + '0000');
});

t.test('unplugged pads ignore late input', async t => {
  const pads = new Pads();
  pads.stop();
  t.doesNotThrow(() => pads.change({ type: 'pad', player: 0, control: 'button', id: PadButton.a, down: true }));
  t.doesNotThrow(() => pads.releaseAll());
  t.doesNotThrow(() => pads.stop());
});
