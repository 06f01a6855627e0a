import type { TouchPhase } from '../../../protocol/touch.js';
import type { Point } from '../../lib/geometry.js';
import { flingOn, flingSpeed, traceOf, type TouchSample } from './fling.js';

/** Touches by their numbers, with their positions in CSS pixels. */
export type Fingers = ReadonlyMap<number, Point>;

/** What a session makes of touches besides moving its pointer and scrolling. */
export interface SessionGestures {
  readonly swipe?: boolean;
  /** Two fingers are the session's. */
  readonly pinch?: boolean;
  /** Fingers are the page's own, as on a phone. */
  readonly pageTouch?: boolean;
  /** The session has a touch screen of its own: it gets every finger from its first contact. */
  readonly touchScreen?: boolean;
  /** Two fingers that are not the session's zoom the picture. */
  readonly zoom?: boolean;
}

/** A direction to which scrolling is bound; null: it is free. */
type Rail = 'x' | 'y' | null;

/** Touches on the video. Positions are in CSS pixels, times in milliseconds. */
export type TouchState =
  /** `tapped`: the last tap, which may become a double click. */
  | { type: 'idle'; tapped?: TouchSample }
  /** `stops`: it has stopped a fling, and is no tap. */
  | { type: 'pressed'; finger: number; at: Point; since: number; stops: boolean; tapped?: TouchSample | undefined }
  /** May become a swipe or, when it takes too long, scroll. */
  | { type: 'flicking'; finger: number; from: Point; since: number; trace: readonly TouchSample[] }
  /** Has rested: lifted it is a right click, moved it drags. */
  | { type: 'held'; finger: number; at: Point }
  | { type: 'dragging'; finger: number }
  | { type: 'scrolling'; finger: number; rail: Rail; trace: readonly TouchSample[] }
  /** Scrolls on by itself. `speed` is in pixels per millisecond, `time` that of the last frame. */
  | { type: 'flinging'; at: Point; speed: Point; time: number | null }
  /** Two fingers on the picture; `from`: where they were put down, as long as they may be a tap. */
  | { type: 'zooming'; fingers: Fingers; from: Fingers | null; since: number }
  /** The session has the fingers as they are. */
  | { type: 'touching'; fingers: Fingers }
  /** Waits until all fingers are lifted. */
  | { type: 'spent'; fingers: number };

export type TouchInput =
  | { type: 'down' | 'move' | 'up'; finger: number; at: Point; time: number }
  /** The first finger has rested for HOLD_MS. */
  | { type: 'hold' }
  /** The screen is drawn. */
  | { type: 'frame'; time: number }
  | { type: 'cancel' };

export type TouchAction =
  | { type: 'move'; at: Point }
  | { type: 'button'; button: 0 | 2; down: boolean; at: Point | null }
  | { type: 'scroll'; dx: number; dy: number; at: Point }
  | { type: 'touch'; phase: TouchPhase; fingers: Fingers }
  | { type: 'swipe'; direction: 'left' | 'right' }
  /** A finger has rested, and what it does next is a right click or a drag. */
  | { type: 'held'; at: Point }
  /** Enlarges the picture by a factor, and moves what is at `from` to `to`. */
  | { type: 'zoom'; factor: number; from: Point; to: Point }
  /** Shows the whole picture, or the pixels of the display at that place. */
  | { type: 'toggleZoom'; at: Point };

/** A touch that rests this long, in milliseconds, is a right click or drags. */
export const HOLD_MS = 550;
/** A touch that moved less than this, in CSS pixels, is still a tap. */
export const SLOP = 10;
/**
 * Minimum length of a swipe in CSS pixels, its maximum duration in milliseconds, and its minimum ratio of width to
 * height.
 */
export const SWIPE = { pixels: 60, ms: 500, slant: 2 } as const;
/** A second tap within this time, in milliseconds, and distance, in CSS pixels, is at the place of the first. */
export const DOUBLE_TAP = { ms: 300, pixels: 24 } as const;
/** Two fingers that are lifted within this time, in milliseconds, without having moved are a tap. */
export const TWO_FINGER_TAP_MS = 300;
/** Scrolling is bound to a direction in which it begins this many times as far as in the other. */
const RAIL_SLANT = 2;

export interface TouchStep {
  state: TouchState;
  actions: TouchAction[];
}

type FingerInput = Extract<TouchInput, { finger: number }>;
type In<Type extends TouchState['type']> = Extract<TouchState, { type: Type }>;

/** A change of one finger. */
type Contact = Pick<FingerInput, 'type' | 'finger' | 'at'>;

const idle: TouchState = { type: 'idle' };
const untouched: In<'touching'> = { type: 'touching', fingers: new Map() };
const press = (at: Point | null, down: boolean): TouchAction => ({ type: 'button', button: 0, down, at });
const click = (button: 0 | 2, at: Point): TouchAction[] => [
  { type: 'button', button, down: true, at },
  { type: 'button', button, down: false, at },
];
const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const nothing = (state: TouchState): TouchStep => ({ state, actions: [] });

/**
 * Interprets touches. One finger taps, scrolls with a fling, and after a long press clicks right or drags; two fingers
 * zoom and move the picture. If the session supports gestures, a quick horizontal stroke of one finger swipes, two
 * fingers are passed on unchanged. A session with a touch screen gets all fingers as they are, and so do pages of a phone,
 * but for those that may swipe.
 */
export function touchStep(state: TouchState, input: TouchInput, gestures: SessionGestures = {}): TouchStep {
  if (input.type === 'cancel') return { state: idle, actions: letGo(state) };
  if (input.type === 'frame') return state.type === 'flinging' ? flinging(state, input.time) : nothing(state);
  if (input.type === 'hold') {
    if (state.type !== 'pressed') return nothing(state);
    const { finger, at } = state;
    if (gestures.pageTouch) return touching(untouched, { type: 'down', finger, at });
    return { state: { type: 'held', finger, at }, actions: [{ type: 'held', at }] };
  }
  switch (state.type) {
    case 'idle':
    case 'flinging':
      return first(state, input, gestures);
    case 'pressed':
      return pressed(state, input, gestures);
    case 'flicking':
      return flicking(state, input, gestures);
    case 'held':
      return held(state, input);
    case 'dragging':
      return dragging(state, input);
    case 'scrolling':
      return scrolling(state, input, gestures);
    case 'zooming':
      return zooming(state, input);
    case 'touching':
      return touching(state, input);
    case 'spent':
      if (input.type === 'down') return nothing({ type: 'spent', fingers: state.fingers + 1 });
      return input.type === 'up' ? nothing(without(state.fingers)) : nothing(state);
  }
}

/** The state after one of so many fingers is lifted that do nothing any more. */
const without = (fingers: number): TouchState => (fingers <= 1 ? idle : { type: 'spent', fingers: fingers - 1 });

function letGo(state: TouchState): TouchAction[] {
  if (state.type === 'dragging') return [press(null, false)];
  return state.type === 'touching' ? [{ type: 'touch', phase: 'cancel', fingers: new Map() }] : [];
}

function first(state: In<'idle' | 'flinging'>, input: FingerInput, gestures: SessionGestures): TouchStep {
  if (input.type !== 'down') return nothing(state);
  if (gestures.touchScreen || (gestures.pageTouch && !gestures.swipe)) return touching(untouched, input);
  const { finger, at, time } = input;
  const stops = state.type === 'flinging';
  const tapped = state.type === 'idle' ? state.tapped : undefined;
  return {
    state: { type: 'pressed', finger, at, since: time, stops, tapped },
    actions: stops || gestures.pageTouch ? [] : [{ type: 'move', at }],
  };
}

function pressed(state: In<'pressed'>, input: FingerInput, gestures: SessionGestures): TouchStep {
  const { finger, at, since } = state;
  if (input.type === 'down') return second(finger, at, input, gestures);
  if (input.finger !== finger) return nothing(state);
  if (input.type === 'up' && gestures.pageTouch) return touches({ finger, at, type: 'down' }, input);
  if (input.type === 'up') return state.stops ? nothing(idle) : tap(state, input.time);
  if (distance(input.at, at) < SLOP) return nothing(state);
  const trace = traceOf([{ at, time: since }], input);
  if (gestures.swipe && isStroke(at, input.at, since, input.time)) {
    return nothing({ type: 'flicking', finger, from: at, since, trace });
  }
  return moves(finger, at, input, trace, gestures);
}

function tap({ at, tapped }: In<'pressed'>, time: number): TouchStep {
  const isSecond =
    tapped !== undefined && time - tapped.time <= DOUBLE_TAP.ms && distance(at, tapped.at) <= DOUBLE_TAP.pixels;
  const place = isSecond ? tapped.at : at;
  return { state: { type: 'idle', tapped: { at: place, time } }, actions: click(0, place) };
}

function flicking(state: In<'flicking'>, input: FingerInput, gestures: SessionGestures): TouchStep {
  const { finger, from, since } = state;
  if (input.type === 'down') return second(finger, from, input, gestures);
  if (input.finger !== finger) return nothing(state);
  const isOn = isStroke(from, input.at, since, input.time);
  const dx = input.at.x - from.x;
  if (input.type === 'up' && isOn && Math.abs(dx) >= SWIPE.pixels) {
    return { state: idle, actions: [{ type: 'swipe', direction: dx > 0 ? 'right' : 'left' }] };
  }
  const trace = traceOf(state.trace, input);
  if (input.type === 'move' && isOn) return nothing({ ...state, trace });
  const moved = moves(finger, from, input, trace, gestures);
  if (input.type === 'move') return moved;
  const lifted = touchStep(moved.state, input, gestures);
  return { state: lifted.state, actions: [...moved.actions, ...lifted.actions] };
}

const isStroke = (from: Point, to: Point, since: number, now: number) =>
  now - since <= SWIPE.ms && Math.abs(to.x - from.x) >= SWIPE.slant * Math.abs(to.y - from.y);

/** One finger has moved too far for a tap. */
function moves(
  finger: number,
  from: Point,
  { at }: FingerInput,
  trace: readonly TouchSample[],
  { pageTouch }: SessionGestures,
): TouchStep {
  if (pageTouch) return touches({ type: 'down', finger, at: from }, { type: 'move', finger, at });
  const [x, y] = [Math.abs(at.x - from.x), Math.abs(at.y - from.y)];
  const rail = x >= RAIL_SLANT * y ? 'x' : y >= RAIL_SLANT * x ? 'y' : null;
  return { state: { type: 'scrolling', finger, rail, trace }, actions: [scroll(from, at, rail)] };
}

/** What is under the finger follows it: moving it up scrolls down. */
const scroll = (from: Point, to: Point, rail: Rail): TouchAction => ({
  type: 'scroll',
  dx: rail === 'y' ? 0 : from.x - to.x,
  dy: rail === 'x' ? 0 : from.y - to.y,
  at: to,
});

function scrolling(state: In<'scrolling'>, input: FingerInput, gestures: SessionGestures): TouchStep {
  const { finger, rail, trace } = state;
  const last = (trace.at(-1) as TouchSample).at;
  if (input.type === 'down') return second(finger, last, input, gestures);
  if (input.finger !== finger) return nothing(state);
  if (input.type === 'move') {
    return { state: { ...state, trace: traceOf(trace, input) }, actions: [scroll(last, input.at, rail)] };
  }
  const speed = flingSpeed(trace, input.time);
  if (speed === null) return nothing(idle);
  const onRail = { x: rail === 'y' ? 0 : speed.x, y: rail === 'x' ? 0 : speed.y };
  return nothing({ type: 'flinging', at: last, speed: onRail, time: null });
}

function flinging(state: In<'flinging'>, time: number): TouchStep {
  const { at, speed } = state;
  if (state.time === null) return nothing({ ...state, time });
  const on = flingOn(speed, time - state.time);
  if (on === null) return nothing(idle);
  const { moved } = on;
  return { state: { ...state, speed: on.speed, time }, actions: [{ type: 'scroll', dx: -moved.x, dy: -moved.y, at }] };
}

function second(finger: number, at: Point, input: FingerInput, { pinch, zoom }: SessionGestures): TouchStep {
  const fingers = new Map([
    [finger, at],
    [input.finger, input.at],
  ]);
  if (pinch) return { state: { type: 'touching', fingers }, actions: [{ type: 'touch', phase: 'start', fingers }] };
  return nothing(zoom ? { type: 'zooming', fingers, from: fingers, since: input.time } : { type: 'spent', fingers: 2 });
}

function held(state: In<'held'>, input: FingerInput): TouchStep {
  const { finger, at } = state;
  if (input.type === 'down') return nothing({ type: 'spent', fingers: 2 });
  if (input.finger !== finger) return nothing(state);
  if (input.type === 'up') return { state: idle, actions: click(2, at) };
  if (distance(input.at, at) < SLOP) return nothing(state);
  return { state: { type: 'dragging', finger }, actions: [press(at, true), { type: 'move', at: input.at }] };
}

function dragging(state: In<'dragging'>, input: FingerInput): TouchStep {
  if (input.type !== 'down' && input.finger !== state.finger) return nothing(state);
  if (input.type === 'move') return { state, actions: [{ type: 'move', at: input.at }] };
  const isUp = input.type === 'up';
  return { state: isUp ? idle : { type: 'spent', fingers: 2 }, actions: [press(isUp ? input.at : null, false)] };
}

/** Passes on what a finger has done so far. */
function touches(...inputs: readonly Contact[]): TouchStep {
  return inputs.reduce<TouchStep>(({ state, actions }, input) => {
    const next = touching(state.type === 'touching' ? state : untouched, input);
    return { state: next.state, actions: [...actions, ...next.actions] };
  }, nothing(untouched));
}

function touching(state: In<'touching'>, input: Contact): TouchStep {
  const fingers = new Map(state.fingers);
  if (input.type === 'up') fingers.delete(input.finger);
  else if (input.type === 'down' || fingers.has(input.finger)) fingers.set(input.finger, input.at);
  const phase = ({ down: 'start', move: 'move', up: 'end' } as const)[input.type];
  return {
    state: fingers.size === 0 ? idle : { type: 'touching', fingers },
    actions: [{ type: 'touch', phase, fingers }],
  };
}

function zooming(state: In<'zooming'>, input: FingerInput): TouchStep {
  const { fingers, from, since } = state;
  if (input.type === 'down') return nothing({ type: 'spent', fingers: fingers.size + 1 });
  const last = fingers.get(input.finger);
  if (last === undefined) return nothing(state);
  if (input.type === 'up') {
    const isTap = from !== null && input.time - since <= TWO_FINGER_TAP_MS;
    const at = middle(...pairOf(fingers));
    return { state: without(fingers.size), actions: isTap ? [{ type: 'toggleZoom', at }] : [] };
  }
  const moved = new Map(fingers).set(input.finger, input.at);
  if (from !== null && distance(from.get(input.finger) ?? last, input.at) < SLOP) {
    return nothing({ ...state, fingers: moved });
  }
  // What was too little to count before counts now.
  const before = pairOf(from ?? fingers);
  const now = pairOf(moved);
  const factor = distance(...now) / Math.max(1, distance(...before));
  return {
    state: { type: 'zooming', fingers: moved, from: null, since },
    actions: [{ type: 'zoom', factor, from: middle(...before), to: middle(...now) }],
  };
}

const pairOf = (fingers: Fingers) => [...fingers.values()] as [Point, Point];
