import type { TouchPhase } from '../../../protocol/touch.js';
import type { Point } from '../../lib/geometry.js';

/** Touches by their numbers, with their positions in CSS pixels. */
export type Fingers = ReadonlyMap<number, Point>;

/** The gestures that the session supports besides a pointer. */
export interface SessionGestures {
  readonly swipe?: boolean;
  readonly pinch?: boolean;
  /** The session has a touch screen of its own: it gets every finger from its first contact. */
  readonly touchScreen?: boolean;
}

/** Touches on the video. Positions are in CSS pixels, times in milliseconds. */
export type TouchState =
  | { type: 'idle' }
  | { type: 'pressed'; finger: number; at: Point; since: number }
  /** May become a swipe or, when it takes too long, a drag. */
  | { type: 'flicking'; finger: number; from: Point; since: number }
  | { type: 'dragging'; finger: number }
  | { type: 'scrolling'; fingers: Fingers }
  /** The session has the fingers as they are. */
  | { type: 'touching'; fingers: Fingers }
  /** Waits until all fingers are lifted. */
  | { type: 'spent'; fingers: number };

export type TouchInput =
  | { type: 'down' | 'move' | 'up'; finger: number; at: Point; time: number }
  /** The first finger has rested for HOLD_MS. */
  | { type: 'hold' }
  | { type: 'cancel' };

export type TouchAction =
  | { type: 'move'; at: Point }
  | { type: 'button'; button: 0 | 2; down: boolean; at: Point | null }
  | { type: 'scroll'; dx: number; dy: number; at: Point }
  | { type: 'touch'; phase: TouchPhase; fingers: Fingers }
  | { type: 'swipe'; direction: 'left' | 'right' };

/** A touch that rests this long, in milliseconds, is a right click. */
export const HOLD_MS = 550;
/** A touch that moved less than this, in CSS pixels, is still a tap. */
export const SLOP = 10;
/**
 * Minimum length of a swipe in CSS pixels, its maximum duration in milliseconds, and its minimum ratio of width to
 * height.
 */
export const SWIPE = { pixels: 60, ms: 500, slant: 2 } as const;

export interface TouchStep {
  state: TouchState;
  actions: TouchAction[];
}

type FingerInput = Extract<TouchInput, { finger: number }>;
type In<Type extends TouchState['type']> = Extract<TouchState, { type: Type }>;

const idle: TouchState = { type: 'idle' };
const press = (at: Point | null, down: boolean): TouchAction => ({ type: 'button', button: 0, down, at });
const click = (button: 0 | 2, at: Point): TouchAction[] => [
  { type: 'button', button, down: true, at },
  { type: 'button', button, down: false, at },
];

/**
 * Interprets touches: a tap clicks, a long press clicks right, one finger drags, two fingers scroll. If the session
 * supports gestures, a quick horizontal stroke of one finger swipes, and two fingers are passed on unchanged; one with a
 * touch screen gets all fingers as they are.
 */
export function touchStep(state: TouchState, input: TouchInput, gestures: SessionGestures = {}): TouchStep {
  if (input.type === 'cancel') return { state: idle, actions: letGo(state) };
  if (input.type === 'hold') {
    if (state.type !== 'pressed') return { state, actions: [] };
    return { state: { type: 'spent', fingers: 1 }, actions: click(2, state.at) };
  }
  switch (state.type) {
    case 'idle':
      if (input.type !== 'down') return { state, actions: [] };
      if (gestures.touchScreen) return touching({ type: 'touching', fingers: new Map() }, input);
      return {
        state: { type: 'pressed', finger: input.finger, at: input.at, since: input.time },
        actions: [{ type: 'move', at: input.at }],
      };
    case 'pressed':
      return pressed(state, input, gestures);
    case 'flicking':
      return flicking(state, input, gestures);
    case 'dragging':
      return dragging(state, input);
    case 'scrolling':
      return scrolling(state, input);
    case 'touching':
      return touching(state, input);
    case 'spent':
      if (input.type === 'down') return { state: { type: 'spent', fingers: state.fingers + 1 }, actions: [] };
      if (input.type !== 'up') return { state, actions: [] };
      return { state: state.fingers <= 1 ? idle : { type: 'spent', fingers: state.fingers - 1 }, actions: [] };
  }
}

function letGo(state: TouchState): TouchAction[] {
  if (state.type === 'dragging') return [press(null, false)];
  return state.type === 'touching' ? [{ type: 'touch', phase: 'cancel', fingers: new Map() }] : [];
}

function pressed(state: In<'pressed'>, input: FingerInput, gestures: SessionGestures): TouchStep {
  const { finger, at } = state;
  if (input.type === 'down') return second(finger, at, input, gestures);
  if (input.finger !== finger) return { state, actions: [] };
  if (input.type === 'up') return { state: idle, actions: click(0, at) };
  if (Math.hypot(input.at.x - at.x, input.at.y - at.y) < SLOP) return { state, actions: [] };
  if (gestures.swipe && isStroke(at, input.at, state.since, input.time)) {
    return { state: { type: 'flicking', finger, from: at, since: state.since }, actions: [] };
  }
  return drag(finger, at, input.at);
}

function flicking(state: In<'flicking'>, input: FingerInput, gestures: SessionGestures): TouchStep {
  const { finger, from, since } = state;
  if (input.type === 'down') return second(finger, from, input, gestures);
  if (input.finger !== finger) return { state, actions: [] };
  const isOn = isStroke(from, input.at, since, input.time);
  const dx = input.at.x - from.x;
  if (input.type === 'up' && isOn && Math.abs(dx) >= SWIPE.pixels) {
    return { state: idle, actions: [{ type: 'swipe', direction: dx > 0 ? 'right' : 'left' }] };
  }
  if (input.type === 'move' && isOn) return { state, actions: [] };
  const dragged = drag(finger, from, input.at);
  return input.type === 'move' ? dragged : { state: idle, actions: [...dragged.actions, press(input.at, false)] };
}

const isStroke = (from: Point, to: Point, since: number, now: number) =>
  now - since <= SWIPE.ms && Math.abs(to.x - from.x) >= SWIPE.slant * Math.abs(to.y - from.y);

const drag = (finger: number, from: Point, to: Point): TouchStep => ({
  state: { type: 'dragging', finger },
  actions: [press(from, true), { type: 'move', at: to }],
});

function second(finger: number, at: Point, input: FingerInput, { pinch }: SessionGestures): TouchStep {
  const fingers = new Map([
    [finger, at],
    [input.finger, input.at],
  ]);
  if (!pinch) return { state: { type: 'scrolling', fingers }, actions: [] };
  return { state: { type: 'touching', fingers }, actions: [{ type: 'touch', phase: 'start', fingers }] };
}

function dragging(state: In<'dragging'>, input: FingerInput): TouchStep {
  if (input.type !== 'down' && input.finger !== state.finger) return { state, actions: [] };
  if (input.type === 'move') return { state, actions: [{ type: 'move', at: input.at }] };
  const isUp = input.type === 'up';
  return { state: isUp ? idle : { type: 'spent', fingers: 2 }, actions: [press(isUp ? input.at : null, false)] };
}

function touching(state: In<'touching'>, input: FingerInput): TouchStep {
  const fingers = new Map(state.fingers);
  if (input.type === 'up') fingers.delete(input.finger);
  else if (input.type === 'down' || fingers.has(input.finger)) fingers.set(input.finger, input.at);
  const phase = ({ down: 'start', move: 'move', up: 'end' } as const)[input.type];
  return {
    state: fingers.size === 0 ? idle : { type: 'touching', fingers },
    actions: [{ type: 'touch', phase, fingers }],
  };
}

function scrolling(state: In<'scrolling'>, input: FingerInput): TouchStep {
  if (input.type === 'down') return { state: { type: 'spent', fingers: state.fingers.size + 1 }, actions: [] };
  const before = state.fingers.get(input.finger);
  if (before === undefined) return { state, actions: [] };
  if (input.type === 'up') return { state: { type: 'spent', fingers: state.fingers.size - 1 }, actions: [] };
  const fingers = new Map(state.fingers).set(input.finger, input.at);
  const count = fingers.size;
  const points = [...fingers.values()];
  const at = {
    x: points.reduce((sum, point) => sum + point.x, 0) / count,
    y: points.reduce((sum, point) => sum + point.y, 0) / count,
  };
  // Content follows the fingers: moving them up scrolls down.
  const [dx, dy] = [(before.x - input.at.x) / count, (before.y - input.at.y) / count];
  return { state: { type: 'scrolling', fingers }, actions: [{ type: 'scroll', dx, dy, at }] };
}
