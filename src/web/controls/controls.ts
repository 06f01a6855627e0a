import { PadButton } from '../../protocol/pad.js';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';

/** The part of the pad that a control operates: a button, or one direction of a stick. */
export type PadAction = { button: number } | { axis: number; value: -1 | 1 };

/** A control on a console's pad. */
export interface Control {
  /** Identifies it in a viewer's stored settings. */
  readonly id: string;
  /** Its display name. */
  readonly name: string;
  readonly action: PadAction;
}

const button = (id: string, name: string, retro: keyof typeof PadButton): Control => ({
  id,
  name,
  action: { button: PadButton[retro] },
});

const CROSS: readonly Control[] = [
  button('up', 'Up', 'up'),
  button('down', 'Down', 'down'),
  button('left', 'Left', 'left'),
  button('right', 'Right', 'right'),
];

/** The four directions of a RetroPad stick; `first` is the number of its horizontal axis. */
const sides = (id: string, name: string, first: 0 | 2): readonly Control[] => [
  { id: `${id}-up`, name: `${name} up`, action: { axis: first + 1, value: -1 } },
  { id: `${id}-down`, name: `${name} down`, action: { axis: first + 1, value: 1 } },
  { id: `${id}-left`, name: `${name} left`, action: { axis: first, value: -1 } },
  { id: `${id}-right`, name: `${name} right`, action: { axis: first, value: 1 } },
];

const SELECT = button('select', 'Select', 'select');
const START = button('start', 'Start', 'start');

const CONTROLS: Readonly<Record<ConsoleKind, readonly Control[]>> = {
  nes: [...CROSS, button('a', 'A', 'a'), button('b', 'B', 'b'), START, SELECT],
  snes: [
    ...CROSS,
    button('a', 'A', 'a'),
    button('b', 'B', 'b'),
    button('x', 'X', 'x'),
    button('y', 'Y', 'y'),
    button('l', 'L', 'l'),
    button('r', 'R', 'r'),
    START,
    SELECT,
  ],
  // Emulators map its A and B to RetroPad's B and Y, and its C buttons to the right stick.
  n64: [
    ...sides('stick', 'Stick', 0),
    button('a', 'A', 'b'),
    button('b', 'B', 'y'),
    button('z', 'Z', 'l2'),
    button('l', 'L', 'l'),
    button('r', 'R', 'r'),
    START,
    ...sides('c', 'C', 2),
    ...CROSS.map(control => ({ ...control, name: `Cross ${control.name.toLowerCase()}` })),
  ],
  ps1: [
    ...CROSS,
    button('a', 'Circle ○', 'a'),
    button('b', 'Cross ✕', 'b'),
    button('x', 'Triangle △', 'x'),
    button('y', 'Square □', 'y'),
    button('l', 'L1', 'l'),
    button('r', 'R1', 'r'),
    button('l2', 'L2', 'l2'),
    button('r2', 'R2', 'r2'),
    START,
    SELECT,
    ...sides('stick', 'Left stick', 0),
    button('l3', 'Left stick pressed (L3)', 'l3'),
    ...sides('right-stick', 'Right stick', 2),
    button('r3', 'Right stick pressed (R3)', 'r3'),
  ],
};

/** The controls of each console's pad, in display order. */
export const controlsOf = (kind: ConsoleKind): readonly Control[] => CONTROLS[kind];

/** Whether sessions of this kind have pads. */
export const isConsole = (kind: string): kind is ConsoleKind => Object.hasOwn(CONTROLS, kind);
