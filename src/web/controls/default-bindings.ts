import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import type { PadSource } from './pad-source.js';

const ARROWS = { left: 0xff51, up: 0xff52, right: 0xff53, down: 0xff54 } as const;
const ENTER = 0xff0d;
const RIGHT_SHIFT = 0xffe2;

/** Keysyms of a control; letters stand for themselves. */
type Keys = Readonly<Record<string, readonly number[]>>;

const letters = (keys: Record<string, string>): Keys =>
  Object.fromEntries(Object.entries(keys).map(([id, letter]) => [id, [letter.charCodeAt(0)]]));

const COMMON_KEYS: Keys = { start: [ENTER], select: [RIGHT_SHIFT], ...letters({ l: 'q', r: 'w' }) };

const CROSS_KEYS: Keys = { up: [ARROWS.up], down: [ARROWS.down], left: [ARROWS.left], right: [ARROWS.right] };

/** Two or four buttons under the left hand: X is A, Z is B, S is X, A is Y. */
const RETRO_KEYS: Keys = {
  ...COMMON_KEYS,
  ...CROSS_KEYS,
  ...letters({ a: 'x', b: 'z', x: 's', y: 'a', l2: 'e', r2: 'r' }),
};

/** The PlayStation's sticks are two groups of four letters. */
const PS1_KEYS: Keys = {
  ...RETRO_KEYS,
  ...letters({ l3: 'v', r3: 'n' }),
  ...letters({ 'stick-up': 't', 'stick-down': 'g', 'stick-left': 'f', 'stick-right': 'h' }),
  ...letters({ 'right-stick-up': 'i', 'right-stick-down': 'k', 'right-stick-left': 'j', 'right-stick-right': 'l' }),
};

/** Most N64 games use the stick: the arrow keys are the stick, T, F, G and H the cross. */
const N64_KEYS: Keys = {
  ...COMMON_KEYS,
  'stick-up': [ARROWS.up],
  'stick-down': [ARROWS.down],
  'stick-left': [ARROWS.left],
  'stick-right': [ARROWS.right],
  ...letters({ a: 'x', b: 'z', z: 'e' }),
  ...letters({ 'c-up': 'i', 'c-down': 'k', 'c-left': 'j', 'c-right': 'l' }),
  ...letters({ up: 't', down: 'g', left: 'f', right: 'h' }),
};

const KEYS: Readonly<Record<ConsoleKind, Keys>> = { nes: RETRO_KEYS, snes: RETRO_KEYS, n64: N64_KEYS, ps1: PS1_KEYS };

/** Default keys of each control of a console, by its ID. */
export const defaultKeys = (kind: ConsoleKind): Keys => KEYS[kind];

/** Gamepad inputs that press a control, by the numbers of the standard gamepad. */
type Sources = Readonly<Record<string, readonly PadSource[]>>;

/** Buttons are mapped by their position on the console's pad. */
const COMMON_SOURCES: Sources = {
  up: ['b12'],
  down: ['b13'],
  left: ['b14'],
  right: ['b15'],
  start: ['b9'],
  select: ['b8'],
  l: ['b4'],
  r: ['b5'],
};

const FACE_SOURCES: Sources = { b: ['b0'], a: ['b1'], y: ['b2'], x: ['b3'] };

/** On a console without a stick, the gamepad's stick works as the cross as well. */
const RETRO_SOURCES: Sources = {
  ...COMMON_SOURCES,
  ...FACE_SOURCES,
  up: ['b12', 'a1-'],
  down: ['b13', 'a1+'],
  left: ['b14', 'a0-'],
  right: ['b15', 'a0+'],
};

const STICK_SOURCES: Sources = {
  'stick-up': ['a1-'],
  'stick-down': ['a1+'],
  'stick-left': ['a0-'],
  'stick-right': ['a0+'],
};

const N64_SOURCES: Sources = {
  ...COMMON_SOURCES,
  ...STICK_SOURCES,
  a: ['b0'],
  b: ['b2'],
  z: ['b6'],
  'c-up': ['a3-', 'b3'],
  'c-down': ['a3+', 'b7'],
  'c-left': ['a2-'],
  'c-right': ['a2+', 'b1'],
};

const PS1_SOURCES: Sources = {
  ...COMMON_SOURCES,
  ...FACE_SOURCES,
  ...STICK_SOURCES,
  l2: ['b6'],
  r2: ['b7'],
  l3: ['b10'],
  r3: ['b11'],
  'right-stick-up': ['a3-'],
  'right-stick-down': ['a3+'],
  'right-stick-left': ['a2-'],
  'right-stick-right': ['a2+'],
};

const SOURCES: Readonly<Record<ConsoleKind, Sources>> = {
  nes: RETRO_SOURCES,
  snes: RETRO_SOURCES,
  n64: N64_SOURCES,
  ps1: PS1_SOURCES,
};

/** Default gamepad inputs of each control of a console, by its ID. */
export const defaultSources = (kind: ConsoleKind): Sources => SOURCES[kind];
