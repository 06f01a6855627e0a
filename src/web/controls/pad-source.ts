import { quantized } from './pad-state.js';

/** A button of a gamepad (`b0`), a half-axis (`a1-`), or a way of a cross that is an axis (`h9u`): up, right, down, left. */
export type PadSource = `b${number}` | `a${number}${'+' | '-'}` | `h${number}${Way}`;

/** The ways of a cross that is an axis, clockwise: each has two of its eight positions. */
const WAYS = ['u', 'r', 'd', 'l'] as const;
type Way = (typeof WAYS)[number];
const POSITIONS = 2 * WAYS.length;

/** The fields of the browser's gamepads that are used. */
export type PadInput = Pick<Gamepad, 'buttons' | 'axes'>;

const SOURCE = /^(?:b\d{1,2}|a\d{1,2}[+-]|h\d{1,2}(?:u|r|d|l))$/;

/** Dead zone: a released stick is hardly ever exactly centred. */
const DEAD_ZONE = 0.15;
/** The cross of some gamepads is an axis with a rest position outside its range. */
const RANGE = 1.05;
/** Some axes of unknown gamepads rest at one end: only one that moves this far counts. */
const MEANT = 0.6;

/** The number of a source's button or axis. */
export const numberOf = (source: PadSource): number => Number.parseInt(source.slice(1), 10);

export const isPadSource = (value: unknown): value is PadSource => typeof value === 'string' && SOURCE.test(value);

/** How far an input is pressed, from 0 to 1. */
export function amountOf({ buttons, axes }: PadInput, source: PadSource): number {
  const number = numberOf(source);
  if (source.startsWith('b')) return buttons[number]?.pressed === true ? 1 : 0;
  if (source.startsWith('h')) return isTurned(axes[number] ?? Infinity, source.slice(-1) as Way) ? 1 : 0;
  const value = (axes[number] ?? 0) * (source.endsWith('-') ? -1 : 1);
  if (value < DEAD_ZONE || value > RANGE) return 0;
  return quantized((Math.min(1, value) - DEAD_ZONE) / (1 - DEAD_ZONE));
}

/** Whether an axis that is a cross is at rest, which is outside its range. */
export const isCentred = (value: number): boolean => Math.abs(value) > RANGE;

/** Whether a cross that is at this value of its axis points some way, perhaps between it and the next. */
function isTurned(value: number, way: Way): boolean {
  if (isCentred(value)) return false;
  const distance = (positionOf(value) - 2 * WAYS.indexOf(way) + POSITIONS) % POSITIONS;
  return distance <= 1 || distance === POSITIONS - 1;
}

/** From the top clockwise, 0 to 7. */
const positionOf = (value: number) => Math.round(((value + 1) / 2) * (POSITIONS - 1));

/** The input pressed on a gamepad since the state `before`; null if none was. */
export function pressedSince(before: PadInput, now: PadInput): PadSource | null {
  const button = now.buttons.findIndex(({ pressed }, i) => pressed && before.buttons[i]?.pressed !== true);
  if (button >= 0) return `b${button}`;
  const moves = now.axes.map((value, i) => value - (before.axes[i] ?? 0));
  const axis = moves.findIndex(move => Math.abs(move) > MEANT);
  if (axis < 0) return null;
  if (!isCentred(before.axes[axis] ?? 0)) return `a${axis}${(moves[axis] ?? 0) < 0 ? '-' : '+'}`;
  const way = WAYS[Math.floor(positionOf(now.axes[axis] ?? 0) / 2)];
  return way === undefined ? null : `h${axis}${way}`;
}
