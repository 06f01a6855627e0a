import type { ConsoleKind } from '../../../protocol/generated/schemas.js';

const ARROWS = { left: 0xff51, up: 0xff52, right: 0xff53, down: 0xff54 } as const;
const ENTER = 0xff0d;
const RIGHT_SHIFT = 0xffe2;

/** Keysyms of a control; letters stand for themselves. */
type Keys = Readonly<Record<string, readonly number[]>>;

const letters = (keys: Record<string, string>): Keys =>
  Object.fromEntries(Object.entries(keys).map(([id, letter]) => [id, [letter.charCodeAt(0)]]));

const COMMON: Keys = { start: [ENTER], select: [RIGHT_SHIFT], ...letters({ l: 'q', r: 'w' }) };

const CROSS: Keys = { up: [ARROWS.up], down: [ARROWS.down], left: [ARROWS.left], right: [ARROWS.right] };

/** Two or four buttons under the left hand: X is A, Z is B, S is X, A is Y. */
const RETRO: Keys = { ...COMMON, ...CROSS, ...letters({ a: 'x', b: 'z', x: 's', y: 'a', l2: 'e', r2: 'r' }) };

/** The PlayStation's sticks are two groups of four letters. */
const PS1: Keys = {
  ...RETRO,
  ...letters({ l3: 'v', r3: 'n' }),
  ...letters({ 'stick-up': 't', 'stick-down': 'g', 'stick-left': 'f', 'stick-right': 'h' }),
  ...letters({ 'right-stick-up': 'i', 'right-stick-down': 'k', 'right-stick-left': 'j', 'right-stick-right': 'l' }),
};

/** Most N64 games use the stick: the arrow keys are the stick, T, F, G and H the cross. */
const N64: Keys = {
  ...COMMON,
  'stick-up': [ARROWS.up],
  'stick-down': [ARROWS.down],
  'stick-left': [ARROWS.left],
  'stick-right': [ARROWS.right],
  ...letters({ a: 'x', b: 'z', z: 'e' }),
  ...letters({ 'c-up': 'i', 'c-down': 'k', 'c-left': 'j', 'c-right': 'l' }),
  ...letters({ up: 't', down: 'g', left: 'f', right: 'h' }),
};

const KEYS: Readonly<Record<ConsoleKind, Keys>> = { nes: RETRO, snes: RETRO, n64: N64, ps1: PS1 };

/** Default keys of each control of a console, by its ID. */
export const defaultKeys = (kind: ConsoleKind): Keys => KEYS[kind];
