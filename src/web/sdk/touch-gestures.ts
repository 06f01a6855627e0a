import type { Point } from './geometry.js';

/** Fingers on the picture, as a pointer. Points are in CSS pixels. */
export type TouchState =
  | { is: 'idle' }
  | { is: 'pressed'; finger: number; at: Point }
  | { is: 'dragging'; finger: number }
  | { is: 'scrolling'; fingers: ReadonlyMap<number, Point> }
  /** Waits until all fingers are lifted. */
  | { is: 'spent'; fingers: number };

export type TouchInput =
  | { type: 'down' | 'move' | 'up'; finger: number; at: Point }
  /** The first finger has rested for HOLD_MS. */
  | { type: 'hold' }
  | { type: 'cancel' };

export type TouchAction =
  | { type: 'move'; at: Point }
  | { type: 'button'; button: 0 | 2; down: boolean; at: Point | null }
  | { type: 'scroll'; dx: number; dy: number; at: Point };

/** A finger that rests this long, in milliseconds, presses the right button. */
export const HOLD_MS = 550;
/** A finger that moved less than this, in CSS pixels, still taps. */
export const SLOP = 10;

export interface TouchStep {
  state: TouchState;
  actions: TouchAction[];
}

const idle: TouchState = { is: 'idle' };
const click = (button: 0 | 2, at: Point): TouchAction[] => [
  { type: 'button', button, down: true, at },
  { type: 'button', button, down: false, at },
];

/** Decides what fingers do: a tap clicks, a rest clicks right, one finger drags, two scroll. */
export function touchStep(state: TouchState, input: TouchInput): TouchStep {
  if (input.type === 'cancel') {
    const letGo: TouchAction[] = state.is === 'dragging' ? [{ type: 'button', button: 0, down: false, at: null }] : [];
    return { state: idle, actions: letGo };
  }
  switch (state.is) {
    case 'idle':
      if (input.type !== 'down') return { state, actions: [] };
      return { state: { is: 'pressed', finger: input.finger, at: input.at }, actions: [{ type: 'move', at: input.at }] };
    case 'pressed':
      return pressed(state, input);
    case 'dragging':
      return dragging(state, input);
    case 'scrolling':
      return scrolling(state, input);
    case 'spent':
      if (input.type === 'down') return { state: { is: 'spent', fingers: state.fingers + 1 }, actions: [] };
      if (input.type !== 'up') return { state, actions: [] };
      return { state: state.fingers <= 1 ? idle : { is: 'spent', fingers: state.fingers - 1 }, actions: [] };
  }
}

function pressed(state: Extract<TouchState, { is: 'pressed' }>, input: Exclude<TouchInput, { type: 'cancel' }>): TouchStep {
  if (input.type === 'hold') return { state: { is: 'spent', fingers: 1 }, actions: click(2, state.at) };
  if (input.type === 'down') {
    const fingers = new Map([
      [state.finger, state.at],
      [input.finger, input.at],
    ]);
    return { state: { is: 'scrolling', fingers }, actions: [] };
  }
  if (input.finger !== state.finger) return { state, actions: [] };
  if (input.type === 'up') return { state: idle, actions: click(0, state.at) };
  if (Math.hypot(input.at.x - state.at.x, input.at.y - state.at.y) < SLOP) return { state, actions: [] };
  return {
    state: { is: 'dragging', finger: state.finger },
    actions: [
      { type: 'button', button: 0, down: true, at: state.at },
      { type: 'move', at: input.at },
    ],
  };
}

function dragging(state: Extract<TouchState, { is: 'dragging' }>, input: Exclude<TouchInput, { type: 'cancel' }>): TouchStep {
  if (input.type === 'hold' || (input.type !== 'down' && input.finger !== state.finger)) return { state, actions: [] };
  if (input.type === 'move') return { state, actions: [{ type: 'move', at: input.at }] };
  const letGo: TouchAction = { type: 'button', button: 0, down: false, at: input.type === 'up' ? input.at : null };
  return { state: input.type === 'up' ? idle : { is: 'spent', fingers: 2 }, actions: [letGo] };
}

function scrolling(state: Extract<TouchState, { is: 'scrolling' }>, input: Exclude<TouchInput, { type: 'cancel' }>): TouchStep {
  if (input.type === 'hold') return { state, actions: [] };
  if (input.type === 'down') return { state: { is: 'spent', fingers: state.fingers.size + 1 }, actions: [] };
  const before = state.fingers.get(input.finger);
  if (before === undefined) return { state, actions: [] };
  if (input.type === 'up') return { state: { is: 'spent', fingers: state.fingers.size - 1 }, actions: [] };
  const fingers = new Map(state.fingers).set(input.finger, input.at);
  const count = fingers.size;
  const points = [...fingers.values()];
  const at = {
    x: points.reduce((sum, point) => sum + point.x, 0) / count,
    y: points.reduce((sum, point) => sum + point.y, 0) / count,
  };
  // The page follows the fingers: moving them up scrolls down.
  const [dx, dy] = [(before.x - input.at.x) / count, (before.y - input.at.y) / count];
  return { state: { is: 'scrolling', fingers }, actions: [{ type: 'scroll', dx, dy, at }] };
}
