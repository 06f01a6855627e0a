import t from 'tap';
import type { InputEvent } from '../../../src/protocol/input.js';
import { PadButton } from '../../../src/protocol/pad.js';
import { defaultBindings, parseBindings, withKey, withSource } from '../../../src/web/controls/bindings.js';
import { controlsOf } from '../../../src/web/controls/controls.js';
import { padStateOf } from '../../../src/web/controls/gamepad.js';
import { laidOut, parseLayouts, withLayout } from '../../../src/web/controls/gamepad-layout.js';
import { PadPresses } from '../../../src/web/controls/pad-presses.js';
import { KeyPad } from '../../../src/web/sdk/pad/key-pad.js';
import { pressedSince } from '../../../src/web/controls/pad-source.js';
import { AT_REST, merged, steps, type PadState } from '../../../src/web/controls/pad-state.js';
import { keyName } from '../../../src/web/player/page/console/key-names.js';
import { pluggedIn } from '../../../src/web/player/page/console/gamepad-notices.js';
import { sourceName } from '../../../src/web/player/page/console/source-names.js';

const KINDS = ['nes', 'snes', 'n64', 'ps1'] as const;
type Kind = (typeof KINDS)[number];

const LEFT = 0xff51;
const RIGHT_SHIFT = 0xffe2;
const UNICODE = 0x01000000;

const code = (character: string) => character.charCodeAt(0);
const key = (character: string, down: boolean): InputEvent => ({ type: 'key', down, keysym: code(character) });
const keyPad = (kind: Kind, bindings = defaultBindings(kind)) => new KeyPad(controlsOf(kind), bindings);

/** Buttons of a gamepad of which those with these numbers are pressed. */
const buttons = (...held: number[]) =>
  Array.from({ length: 17 }, (_, i) => ({ pressed: held.includes(i), touched: false, value: 0 }));
const gamepad = (kind: Kind, held: number[], axes: number[] = [], bindings = defaultBindings(kind)) =>
  padStateOf({ buttons: buttons(...held), axes }, controlsOf(kind), bindings);
const heldOn = ({ buttons }: PadState) => buttons.flatMap((down, id) => (down ? [id] : []));

t.test('keys press buttons', async t => {
  const pad = keyPad('nes');
  t.equal(pad.handle(key('x', true)), true);
  t.equal(pad.state.buttons[PadButton.a], true);
  t.equal(pad.handle(key('x', true)), false, 'a key that repeats changes nothing');
  t.equal(pad.handle(key('X', false)), true, 'with Shift it is the same key');
  t.equal(pad.state.buttons[PadButton.a], false);
  t.equal(pad.handle(key('p', true)), false, 'a key without meaning does nothing');
  pad.handle(key('z', true));
  t.equal(pad.handle({ type: 'release' }), true, 'the window has lost the focus');
  t.same(pad.state, AT_REST);
});

t.test('arrow keys move the stick of the n64', async t => {
  const pad = keyPad('n64');
  pad.handle({ type: 'key', down: true, keysym: LEFT });
  t.same(pad.state.axes, [-1, 0, 0, 0]);
  pad.handle(key('x', true));
  t.equal(pad.state.buttons[PadButton.b], true, 'X is A, which is where RetroPad has its B');
  pad.handle(key('i', true));
  t.same(pad.state.axes, [-1, 0, 0, -1], 'the C buttons are its right stick');
});

t.test('each console’s controls have keys of their own, and a place on a gamepad', async t => {
  for (const kind of KINDS) {
    const bindings = Object.entries(defaultBindings(kind));
    const keys = bindings.flatMap(([, { keys }]) => keys);
    t.equal(new Set(keys).size, keys.length, `${kind}: no key does two things`);
    const sources = bindings.flatMap(([, { pad }]) => pad);
    t.equal(new Set(sources).size, sources.length, `${kind}: no button does two things`);
    t.same(
      bindings.filter(([, { keys, pad }]) => keys.length === 0 || pad.length === 0),
      [],
      kind,
    );
  }
});

t.test('gamepad buttons match the console’s positions, and sticks rest in a dead zone', async t => {
  const state = gamepad('ps1', [1, 9, 12], [0.1, -1, 0.5, 0]);
  t.same(heldOn(state).sort(), [PadButton.a, PadButton.start, PadButton.up].sort());
  t.equal(state.axes[0], 0, 'within the dead zone');
  t.equal(state.axes[1], -1);
  t.ok((state.axes[2] ?? 0) > 0.3 && (state.axes[2] ?? 0) < 0.5, 'a stick remains a stick');
});

t.test('a gamepad with another layout is read as the standard one', async t => {
  const axes = [0, 0, 0, 0, -1, 3.28];
  const pad = (held: number[], changed: Record<number, number> = {}) => ({
    id: 'other',
    buttons: buttons(...held),
    axes: axes.map((value, i) => changed[i] ?? value),
  });
  const layouts = { other: { b1: 'b7', b12: 'h5u', b15: 'h5r', 'a0+': 'a1-', b7: 'a4+', b8: null } } as const;
  const held = (input: ReturnType<typeof pad>) =>
    laidOut(input, layouts).buttons.flatMap(({ pressed }, i) => (pressed ? [i] : []));
  t.same(held(pad([7])), [1]);
  t.same(held(pad([1, 8, 12])), [], 'what has no place in it is nothing');
  t.same(held(pad([], { 5: -1 })), [12]);
  t.same(held(pad([], { 5: -5 / 7 })), [12, 15], 'a cross that is an axis');
  t.same(held(pad([], { 5: -3 / 7 })), [15]);
  t.same(held(pad([], { 4: 1 })), [7], 'a trigger that is an axis');
  t.same(laidOut(pad([], { 1: -0.5 }), layouts).axes, [0.5, 0, 0, 0]);
  const unknown = { ...pad([3]), id: 'toString' };
  t.equal(laidOut(unknown, layouts), unknown, 'one without a layout is taken as it is');
});

t.test('presses are told one after the other', async t => {
  const presses = new PadPresses();
  const look = (held: number[], axes: number[], frames = 1) =>
    Array.from({ length: frames }, () => presses.look({ buttons: buttons(...held), axes })).find(each => each !== null);
  t.equal(look([3], [0, 0, 3.28]), undefined, 'not what is held from the beginning');
  t.equal(look([3, 5], [0, 0, 3.28]), 'b5');
  t.equal(look([5, 6], [0, 0, 3.28]), 'b6', 'another one beside it');
  t.equal(look([3], [0, 0, 3.28]), 'b3', 'what was let go of meanwhile');
  t.equal(look([], [1, 0, 3.28]), 'a0+');
  t.equal(look([], [1, 0, 3.28], 20), undefined, 'held');
  t.equal(look([], [-1, 0, 3.28], 20), undefined, 'a trigger shows where it rests');
  t.equal(look([], [1, 0, 3.28]), 'a0+', 'and is pressed again');
  t.equal(look([], [1, 0, -3 / 7]), 'h2r');
  t.equal(look([], [1, 0, 1 / 7], 20), undefined, 'a cross that is rolled');
  t.equal(look([], [1, 0, 3.28], 20), undefined);
  t.equal(look([], [1, 0, 5 / 7]), 'h2l');
});

t.test('stored layouts of gamepads are restored, and anything else is not', async t => {
  const layouts = withLayout({}, 'a pad', { b0: 'b2', b12: 'h9u', 'a0-': 'a3+', b8: null });
  t.same(parseLayouts(JSON.parse(JSON.stringify(layouts))), layouts);
  for (const stored of [null, 1, [], { pad: null }, { pad: [] }, { pad: { b0: 'c1' } }, { pad: { x: 'b1' } }])
    t.equal(parseLayouts(stored), null, JSON.stringify(stored));
  const many = Array.from({ length: 40 }, (_, i) => `pad ${i}`).reduce((all, id) => withLayout(all, id, {}), {});
  t.equal(Object.keys(many).length, 32);
  t.ok(parseLayouts(many));
  t.ok('pad 39' in many, 'the newest is kept');
});

t.test('on consoles without a stick it acts as the directional pad', async t => {
  t.same(heldOn(gamepad('nes', [], [0.9, -0.9])), [PadButton.up, PadButton.right]);
  t.same(gamepad('snes', [], [0.4, 0]), AT_REST, 'pushed a little it is nothing');
});

t.test('several sources of one player are combined', async t => {
  const [one, two] = [gamepad('ps1', [0], [0.4, 0]), gamepad('ps1', [], [-1, 0])];
  t.equal(merged([one, two]).buttons[PadButton.b], true);
  t.equal(merged([one, two]).axes[0], -1);
});

t.test('only changes are sent', async t => {
  const down = gamepad('nes', [0]);
  t.same(steps(AT_REST, down), [{ control: 'button', id: PadButton.b, down: true }]);
  t.same(steps(down, down), []);
});

t.test('a control that gets another key takes it from the control that had it', async t => {
  const bindings = withKey(defaultBindings('nes'), 'a', code('z'));
  t.same([bindings['a']?.keys, bindings['b']?.keys], [[code('z')], []]);
  const pad = keyPad('nes', bindings);
  t.equal(pad.handle(key('x', true)), false, 'the key it had does nothing any more');
  pad.handle(key('z', true));
  t.same(heldOn(pad.state), [PadButton.a]);
  pad.bindings = defaultBindings('nes');
  t.same(pad.state, AT_REST, 'what was held is let go of');
  t.same(withKey(bindings, 'a', null)['a']?.keys, []);
});

t.test('a control that gets another button or half axis takes it from the control that had it', async t => {
  const bindings = withSource(withSource(defaultBindings('ps1'), 'a', 'a5+'), 'b', 'b1');
  t.same(heldOn(gamepad('ps1', [1], [0, 0, 0, 0, 0, 1], bindings)).sort(), [PadButton.a, PadButton.b].sort());
  t.same(heldOn(gamepad('ps1', [0], [], bindings)), []);
  t.same(withSource(bindings, 'a', 'b9')['start']?.pad, []);
});

t.test('keys with Shift or in other alphabets are the same key', async t => {
  const pad = keyPad('nes', withKey(withKey(defaultBindings('nes'), 'a', 0xe4), 'b', UNICODE + 0x444));
  pad.handle({ type: 'key', down: true, keysym: 0xc4 });
  pad.handle({ type: 'key', down: true, keysym: UNICODE + 0x424 });
  t.same(heldOn(pad.state), [PadButton.b, PadButton.a], 'Ä and Ф');
});

t.test('stored bindings are restored, and anything else is not', async t => {
  const own = withSource(withKey(defaultBindings('n64'), 'c-up', RIGHT_SHIFT), 'z', 'a5+');
  t.same(parseBindings('n64', JSON.parse(JSON.stringify(own))), own);
  const foreign = [
    null,
    5,
    'text',
    [],
    {},
    defaultBindings('nes'),
    { ...own, more: { keys: [], pad: [] } },
    { ...own, a: null },
    { ...own, a: { keys: ['x'], pad: [] } },
    { ...own, a: { keys: [-1], pad: [] } },
    { ...own, a: { keys: [1.5], pad: [] } },
    { ...own, a: { keys: [], pad: ['c1'] } },
    { ...own, a: { keys: [] } },
    { ...own, a: { keys: Array(100).fill(5), pad: [] } },
  ];
  for (const kept of foreign) t.equal(parseBindings('n64', kept), null, JSON.stringify(kept)?.slice(0, 60));
});

t.test('a press on a gamepad is recognized, whatever rests there', async t => {
  const resting = { buttons: buttons(3), axes: [0, 0.1, -1, 3.28] };
  t.equal(pressedSince(resting, resting), null);
  t.equal(pressedSince(resting, { ...resting, buttons: buttons(3, 14) }), 'b14');
  t.equal(pressedSince(resting, { ...resting, axes: [0, 0.1, 0.5, 3.28] }), 'a2+');
  t.equal(pressedSince(resting, { ...resting, axes: [0, -0.9, -1, 3.28] }), 'a1-');
  const bindings = withSource(defaultBindings('nes'), 'left', 'a3-');
  t.same(
    gamepad('nes', [], [0, 0, 0, 3.28], withSource(bindings, 'right', 'a3+')),
    AT_REST,
    'a cross that is let go of',
  );
});

t.test('keys and buttons have names', async t => {
  t.same([code('x'), code(' '), LEFT, RIGHT_SHIFT, 0xffbe, 0xffb4, 0xe4, 0x123456].map(keyName), [
    'X',
    'Space',
    '←',
    'Right Shift',
    'F1',
    'Keypad 4',
    'Ä',
    'Key 123456',
  ]);
  t.same((['b0', 'b13', 'b20', 'a2-', 'a9+'] as const).map(sourceName), [
    'Lower',
    'Cross ↓',
    'Button 21',
    'Right stick ←',
    'Axis 10+',
  ]);
  t.match(pluggedIn(2), /plays player 2/);
  t.match(pluggedIn(undefined), /no seat/);
});
