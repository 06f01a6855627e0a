import type { Point } from '../../lib/geometry.js';

/** Where a finger was, in CSS pixels, and when, in milliseconds. */
export interface TouchSample {
  readonly at: Point;
  readonly time: number;
}

/** The speed of a finger is that of its last movement within this time, in milliseconds. */
const WINDOW_MS = 100;
/** A finger that has rested this long before it is lifted, in milliseconds, flings nothing. */
const REST_MS = 50;
/** Slower flings are none; faster ones are as fast as this. Pixels per millisecond, as on Android. */
const SPEED = { min: 0.05, max: 8 } as const;
/** The time, in milliseconds, in which a fling loses all but 1/e of its speed. */
const DECAY_MS = 325;
/** After such a pause, in milliseconds, the page was not visible, and the fling is over. */
const LOST_MS = 250;

const speedOf = ({ x, y }: Point) => Math.hypot(x, y);

/** Adds a sample, and drops those that are too old to tell the speed, but for the last: a busy page hears of few. */
export function traceOf(before: readonly TouchSample[], sample: TouchSample): readonly TouchSample[] {
  const last = before.length - 1;
  return [...before.filter(({ time }, i) => i === last || sample.time - time <= WINDOW_MS), sample];
}

/** The speed of a finger that is lifted at `now`, in CSS pixels per millisecond; null if that is no fling. */
export function flingSpeed(trace: readonly TouchSample[], now: number): Point | null {
  const [first, last] = [trace[0], trace.at(-1)];
  if (first === undefined || last === undefined || last.time <= first.time || now - last.time > REST_MS) return null;
  const ms = last.time - first.time;
  const speed = { x: (last.at.x - first.at.x) / ms, y: (last.at.y - first.at.y) / ms };
  if (speedOf(speed) < SPEED.min) return null;
  const limit = Math.min(1, SPEED.max / speedOf(speed));
  return { x: speed.x * limit, y: speed.y * limit };
}

/** How far a fling goes within `ms` milliseconds, in CSS pixels, and its speed then; null once it is over. */
export function flingOn(speed: Point, ms: number): { moved: Point; speed: Point } | null {
  if (ms > LOST_MS || speedOf(speed) < SPEED.min) return null;
  const left = Math.exp(-Math.max(0, ms) / DECAY_MS);
  const way = DECAY_MS * (1 - left);
  return { moved: { x: speed.x * way, y: speed.y * way }, speed: { x: speed.x * left, y: speed.y * left } };
}
