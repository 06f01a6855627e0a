import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import type { PadSource } from './pad-source.js';

/** Gamepad inputs that press a control, by the numbers of the standard gamepad. */
type Sources = Readonly<Record<string, readonly PadSource[]>>;

/** Buttons are mapped by their position on the console's pad. */
const COMMON: Sources = {
  up: ['b12'],
  down: ['b13'],
  left: ['b14'],
  right: ['b15'],
  start: ['b9'],
  select: ['b8'],
  l: ['b4'],
  r: ['b5'],
};

const FACE: Sources = { b: ['b0'], a: ['b1'], y: ['b2'], x: ['b3'] };

/** On a console without a stick, the gamepad's stick works as the cross as well. */
const RETRO: Sources = {
  ...COMMON,
  ...FACE,
  up: ['b12', 'a1-'],
  down: ['b13', 'a1+'],
  left: ['b14', 'a0-'],
  right: ['b15', 'a0+'],
};

const STICK: Sources = { 'stick-up': ['a1-'], 'stick-down': ['a1+'], 'stick-left': ['a0-'], 'stick-right': ['a0+'] };

const N64: Sources = {
  ...COMMON,
  ...STICK,
  a: ['b0'],
  b: ['b2'],
  z: ['b6'],
  'c-up': ['a3-', 'b3'],
  'c-down': ['a3+', 'b7'],
  'c-left': ['a2-'],
  'c-right': ['a2+', 'b1'],
};

const PS1: Sources = {
  ...COMMON,
  ...FACE,
  ...STICK,
  l2: ['b6'],
  r2: ['b7'],
  l3: ['b10'],
  r3: ['b11'],
  'right-stick-up': ['a3-'],
  'right-stick-down': ['a3+'],
  'right-stick-left': ['a2-'],
  'right-stick-right': ['a2+'],
};

const SOURCES: Readonly<Record<ConsoleKind, Sources>> = { nes: RETRO, snes: RETRO, n64: N64, ps1: PS1 };

/** Default gamepad inputs of each control of a console, by its ID. */
export const defaultSources = (kind: ConsoleKind): Sources => SOURCES[kind];
