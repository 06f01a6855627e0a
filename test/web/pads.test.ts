import t from 'tap';
import type { InputEvent } from '../../src/protocol/input.js';
import { PadButton } from '../../src/protocol/pad.js';
import { padStateOf } from '../../src/web/sdk/pad/gamepad.js';
import { keyMapOf } from '../../src/web/sdk/pad/key-map.js';
import { KeyPad } from '../../src/web/sdk/pad/key-pad.js';
import { AT_REST, merged, steps } from '../../src/web/sdk/pad/pad-state.js';

const key = (character: string, down: boolean): InputEvent => ({ type: 'key', down, keysym: character.charCodeAt(0) });
const LEFT = 0xff51;

t.test('keys are buttons', async t => {
  const pad = new KeyPad(keyMapOf('nes'));
  t.equal(pad.take(key('x', true)), true);
  t.equal(pad.state.buttons[PadButton.a], true);
  t.equal(pad.take(key('x', true)), false, 'a key that repeats changes nothing');
  t.equal(pad.take(key('X', false)), true, 'with Shift it is the same key');
  t.equal(pad.state.buttons[PadButton.a], false);
  t.equal(pad.take(key('p', true)), false, 'a key without meaning does nothing');
  pad.take(key('z', true));
  t.equal(pad.take({ type: 'release' }), true, 'the window has lost the focus');
  t.same(pad.state, AT_REST);
});

t.test('arrows are the stick of the n64', async t => {
  const pad = new KeyPad(keyMapOf('n64'));
  pad.take({ type: 'key', down: true, keysym: LEFT });
  t.same(pad.state.axes, [-1, 0, 0, 0]);
  pad.take(key('x', true));
  t.equal(pad.state.buttons[PadButton.b], true, 'X is A, which is where RetroPad has its B');
});

t.test('gamepads have their buttons where the console has them, and sticks that rest', async t => {
  const pressed = (...indices: number[]) => Array.from({ length: 17 }, (_, i) => ({ pressed: indices.includes(i), touched: false, value: 0 }));
  const state = padStateOf({ buttons: pressed(1, 9, 12), axes: [0.1, -1, 0.5, 0] });
  t.same([PadButton.a, PadButton.start, PadButton.up].map(id => state.buttons[id]), [true, true, true]);
  t.equal(state.buttons.filter(Boolean).length, 3);
  t.equal(state.axes[0], 0, 'within the dead zone');
  t.equal(state.axes[1], -1);
  t.ok((state.axes[2] ?? 0) > 0.3 && (state.axes[2] ?? 0) < 0.5);
});

t.test('several pads in the same hands are one', async t => {
  const one = padStateOf({ buttons: [{ pressed: true, touched: true, value: 1 }], axes: [0.4, 0, 0, 0] });
  const two = padStateOf({ buttons: [], axes: [-1, 0, 0, 0] });
  t.equal(merged([one, two]).buttons[PadButton.b], true);
  t.equal(merged([one, two]).axes[0], -1);
});

t.test('only what changes is sent', async t => {
  const down = padStateOf({ buttons: [{ pressed: true, touched: true, value: 1 }], axes: [] });
  t.same(steps(AT_REST, down), [{ control: 'button', id: PadButton.b, down: true }]);
  t.same(steps(down, down), []);
});
