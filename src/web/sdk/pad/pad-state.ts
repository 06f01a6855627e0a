import { PAD_AXES, PAD_BUTTONS } from '../../../protocol/pad.js';
import type { Control } from './controls.js';

/** What is held on a pad: buttons, and axes from -1 to 1, by RetroPad's numbers. */
export interface PadState {
  readonly buttons: readonly boolean[];
  readonly axes: readonly number[];
}

export const AT_REST: PadState = { buttons: Array(PAD_BUTTONS).fill(false), axes: Array(PAD_AXES).fill(0) };

/** A stick that presses a button must be pushed at least this far. */
const PRESSED_AT = 0.5;

/** Finer steps of a stick would be sent and not felt. */
const STEPS = 64;

/** How far a stick is pushed, in whole steps. */
export const inSteps = (amount: number): number => Math.round(amount * STEPS) / STEPS;

/** The pad whose controls are pressed so far, each from 0 to 1. */
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

/** One pad out of several in the same hands: a button is down if it is on any, an axis is that of the farthest. */
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

/** What leads from one state to another. */
export function steps(from: PadState, to: PadState): PadStep[] {
  const buttons = to.buttons.flatMap((down, id): PadStep[] =>
    down === from.buttons[id] ? [] : [{ control: 'button', id, down }],
  );
  const axes = to.axes.flatMap((value, id): PadStep[] =>
    value === from.axes[id] ? [] : [{ control: 'axis', id, value }],
  );
  return [...buttons, ...axes];
}
