import { PAD_AXES, PAD_BUTTONS } from '../../protocol/pad.js';
import type { Control } from './controls.js';

/** Buttons that are held on a pad, and axes from -1 to 1, by RetroPad's numbers. */
export interface PadState {
  readonly buttons: readonly boolean[];
  readonly axes: readonly number[];
}

export const AT_REST: PadState = { buttons: Array(PAD_BUTTONS).fill(false), axes: Array(PAD_AXES).fill(0) };

/** How far a stick must be pushed to press a button. */
const PRESSED_AT = 0.5;

/** Resolution of a stick; finer steps would be sent but not felt. */
const STEPS = 64;

/** A stick's position, quantized. */
export const quantized = (amount: number): number => Math.round(amount * STEPS) / STEPS;

/** The pad with its controls pressed this far, each from 0 to 1. */
export function stateOf(controls: readonly Control[], amountOf: (id: string) => number): PadState {
  const buttons = [...AT_REST.buttons];
  const axes = [...AT_REST.axes];
  for (const { id, action } of controls) {
    const amount = amountOf(id);
    if (amount === 0) continue;
    if ('axis' in action) axes[action.axis] = (axes[action.axis] ?? 0) + action.value * amount;
    else if (amount >= PRESSED_AT) buttons[action.button] = true;
  }
  return { buttons, axes };
}

/** Merges several pads of one player: a button is down if it is down on any, an axis is the one pushed farthest. */
export function merged(states: readonly PadState[]): PadState {
  return {
    buttons: AT_REST.buttons.map((_, id) => states.some(({ buttons }) => buttons[id] === true)),
    axes: AT_REST.axes.map((_, id) =>
      states
        .map(({ axes }) => axes[id] ?? 0)
        .reduce((farthest, value) => (Math.abs(value) > Math.abs(farthest) ? value : farthest), 0),
    ),
  };
}

export type PadStep = { control: 'button'; id: number; down: boolean } | { control: 'axis'; id: number; value: number };

/** The changes from one state to another. */
export function steps(from: PadState, to: PadState): PadStep[] {
  const buttons = to.buttons.flatMap((down, id): PadStep[] =>
    down === from.buttons[id] ? [] : [{ control: 'button', id, down }],
  );
  const axes = to.axes.flatMap((value, id): PadStep[] =>
    value === from.axes[id] ? [] : [{ control: 'axis', id, value }],
  );
  return [...buttons, ...axes];
}
