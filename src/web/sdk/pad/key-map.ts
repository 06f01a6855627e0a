import { PadButton } from '../../../protocol/pad.js';

/** What a key does: a button, or a stick pushed to one side. */
export type KeyAction = { button: number } | { axis: number; value: -1 | 1 };

/** Keys by their X11 keysym; letters by the small one. */
export type KeyMap = ReadonlyMap<number, KeyAction>;

const button = (name: keyof typeof PadButton): KeyAction => ({ button: PadButton[name] });

const KEYSYM = { left: 0xff51, up: 0xff52, right: 0xff53, down: 0xff54, enter: 0xff0d, rightShift: 0xffe2 } as const;
const letter = (character: string) => character.charCodeAt(0);

const COMMON: [number, KeyAction][] = [
  [KEYSYM.enter, button('start')],
  [KEYSYM.rightShift, button('select')],
  [letter('q'), button('l')],
  [letter('w'), button('r')],
  [letter('e'), button('l2')],
  [letter('r'), button('r2')],
];

/** Two or four buttons under the right thumb: X is A, Z is B, S is X, A is Y. */
const RETRO: KeyMap = new Map([
  ...COMMON,
  [KEYSYM.up, button('up')],
  [KEYSYM.down, button('down')],
  [KEYSYM.left, button('left')],
  [KEYSYM.right, button('right')],
  [letter('x'), button('a')],
  [letter('z'), button('b')],
  [letter('s'), button('x')],
  [letter('a'), button('y')],
]);

/** The stick is what most games of the n64 want: arrows are the stick, T, F, G and H the cross. X is A, Z is B, E is Z. */
const N64: KeyMap = new Map([
  ...COMMON,
  [KEYSYM.up, { axis: 1, value: -1 }],
  [KEYSYM.down, { axis: 1, value: 1 }],
  [KEYSYM.left, { axis: 0, value: -1 }],
  [KEYSYM.right, { axis: 0, value: 1 }],
  [letter('t'), button('up')],
  [letter('g'), button('down')],
  [letter('f'), button('left')],
  [letter('h'), button('right')],
  [letter('x'), button('b')],
  [letter('z'), button('y')],
  [letter('s'), button('x')],
  [letter('a'), button('a')],
]);

/** What the keys of a keyboard do on a console. */
export const keyMapOf = (kind: string): KeyMap => (kind === 'n64' ? N64 : RETRO);

/** Capital letters are the same key: Shift may be a button, too. */
export const plainKeysym = (keysym: number): number => (keysym >= 0x41 && keysym <= 0x5a ? keysym + 0x20 : keysym);
