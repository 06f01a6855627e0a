import { PadButton } from '../../protocol/pad.js';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import type { Sentence, Texts } from '../languages/texts.js';

/** The part of the pad that a control operates: a button, or one direction of a stick. */
export type PadAction = { button: number } | { axis: number; value: -1 | 1 };

/** A control on a console's pad. */
export interface Control {
  /** Identifies it in a viewer's stored settings. */
  readonly id: string;
  /** What it is called. */
  readonly name: Sentence;
  readonly action: PadAction;
}

/** @param name what is printed on it, in every language, or a sentence */
const button = (id: string, retro: keyof typeof PadButton, name: Sentence | string): Control => ({
  id,
  name: typeof name === 'string' ? () => name : name,
  action: { button: PadButton[retro] },
});

const WAYS = [
  { way: 'up', axis: 1, value: -1 },
  { way: 'down', axis: 1, value: 1 },
  { way: 'left', axis: 0, value: -1 },
  { way: 'right', axis: 0, value: 1 },
] as const;

/** What a direction of a part of the pad is called. */
const SIDES = {
  up: (texts: Texts, stick: string) => texts.say('stickUp', { stick }),
  down: (texts: Texts, stick: string) => texts.say('stickDown', { stick }),
  left: (texts: Texts, stick: string) => texts.say('stickLeft', { stick }),
  right: (texts: Texts, stick: string) => texts.say('stickRight', { stick }),
} as const;

const CROSS: readonly Control[] = WAYS.map(({ way }) => button(way, way, ({ say }) => say(way)));

/** The four directions of a RetroPad stick; `first` is the number of its horizontal axis. */
const sides = (id: string, name: Sentence, first: 0 | 2): readonly Control[] =>
  WAYS.map(({ way, axis, value }) => ({
    id: `${id}-${way}`,
    name: texts => SIDES[way](texts, name(texts)),
    action: { axis: first + axis, value },
  }));

const [LEFT_STICK, RIGHT_STICK] = [
  ({ say }: Texts) => say('leftStick'),
  ({ say }: Texts) => say('rightStick'),
] as const;

const pressed =
  (stick: Sentence, button: string): Sentence =>
  texts =>
    texts.say('stickPressed', { stick: stick(texts), button });

const SELECT = button('select', 'select', 'Select');
const START = button('start', 'start', 'Start');

const CONTROLS: Readonly<Record<ConsoleKind, readonly Control[]>> = {
  nes: [...CROSS, button('a', 'a', 'A'), button('b', 'b', 'B'), START, SELECT],
  snes: [
    ...CROSS,
    button('a', 'a', 'A'),
    button('b', 'b', 'B'),
    button('x', 'x', 'X'),
    button('y', 'y', 'Y'),
    button('l', 'l', 'L'),
    button('r', 'r', 'R'),
    START,
    SELECT,
  ],
  // Emulators map its A and B to RetroPad's B and Y, and its C buttons to the right stick.
  n64: [
    ...sides('stick', ({ say }) => say('stick'), 0),
    button('a', 'b', 'A'),
    button('b', 'y', 'B'),
    button('z', 'l2', 'Z'),
    button('l', 'l', 'L'),
    button('r', 'r', 'R'),
    START,
    ...sides('c', () => 'C', 2),
    ...WAYS.map(({ way }) => button(way, way, texts => SIDES[way](texts, texts.say('cross')))),
  ],
  ps1: [
    ...CROSS,
    button('a', 'a', ({ say }) => say('circleButton')),
    button('b', 'b', ({ say }) => say('crossButton')),
    button('x', 'x', ({ say }) => say('triangleButton')),
    button('y', 'y', ({ say }) => say('squareButton')),
    button('l', 'l', 'L1'),
    button('r', 'r', 'R1'),
    button('l2', 'l2', 'L2'),
    button('r2', 'r2', 'R2'),
    START,
    SELECT,
    ...sides('stick', LEFT_STICK, 0),
    button('l3', 'l3', pressed(LEFT_STICK, 'L3')),
    ...sides('right-stick', RIGHT_STICK, 2),
    button('r3', 'r3', pressed(RIGHT_STICK, 'R3')),
  ],
};

/** The controls of each console's pad, in display order. */
export const controlsOf = (kind: ConsoleKind): readonly Control[] => CONTROLS[kind];

/** Whether sessions of this kind have pads. */
export const isConsole = (kind: string): kind is ConsoleKind => Object.hasOwn(CONTROLS, kind);
