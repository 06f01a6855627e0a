import { quantized } from './pad-state.js';

/** A button of a gamepad (`b0`), or a half-axis (`a1-`). */
export type PadSource = `b${number}` | `a${number}${'+' | '-'}`;

/** The fields of the browser's gamepads that are used. */
export type PadInput = Pick<Gamepad, 'buttons' | 'axes'>;

const SOURCE = /^(?:b\d{1,2}|a\d{1,2}[+-])$/;

/** Dead zone: a released stick is hardly ever exactly centred. */
const DEAD_ZONE = 0.15;
/** The cross of some gamepads is an axis with a rest position outside its range. */
const RANGE = 1.05;
/** Some axes of unknown gamepads rest at one end: only one that moves this far counts. */
const MEANT = 0.6;

export const isPadSource = (value: unknown): value is PadSource => typeof value === 'string' && SOURCE.test(value);

/** How far an input is pressed, from 0 to 1. */
export function amountOf({ buttons, axes }: PadInput, source: PadSource): number {
  const number = Number.parseInt(source.slice(1), 10);
  if (source.startsWith('b')) return buttons[number]?.pressed === true ? 1 : 0;
  const value = (axes[number] ?? 0) * (source.endsWith('-') ? -1 : 1);
  if (value < DEAD_ZONE || value > RANGE) return 0;
  return quantized((Math.min(1, value) - DEAD_ZONE) / (1 - DEAD_ZONE));
}

/** The input pressed on a gamepad since the state `before`; null if none was. */
export function pressedSince(before: PadInput, now: PadInput): PadSource | null {
  const button = now.buttons.findIndex(({ pressed }, i) => pressed && before.buttons[i]?.pressed !== true);
  if (button >= 0) return `b${button}`;
  const moves = now.axes.map((value, i) => value - (before.axes[i] ?? 0));
  const axis = moves.findIndex(move => Math.abs(move) > MEANT);
  return axis < 0 ? null : `a${axis}${(moves[axis] ?? 0) < 0 ? '-' : '+'}`;
}
