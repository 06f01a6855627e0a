import { finger, fromViewer } from './viewer-wire.js';

const { touch } = fromViewer;

/** A change of touches: they started, moved, ended, or were cancelled by the system. */
export const TOUCH_PHASES = ['start', 'move', 'end', 'cancel'] as const;
export type TouchPhase = (typeof TOUCH_PHASES)[number];

/** A touch; `x` and `y` are fractions of the display, 0 to 1, `id` is 0 to 255. */
export interface TouchPoint {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/** All touches after a change. */
export interface TouchEvent {
  readonly type: 'touch';
  readonly phase: TouchPhase;
  readonly points: readonly TouchPoint[];
}

export const TOUCH_POINTS_MAX = 10;

const FULL = 65535;
const fraction = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * FULL);

/** Encodes touches as a binary message; those beyond the tenth are left out. */
export function encodeTouch({ phase, points }: TouchEvent): Uint8Array {
  const kept = points.slice(0, TOUCH_POINTS_MAX);
  const fingers = new Uint8Array(kept.length * finger.bytes);
  kept.forEach(({ id, x, y }, index) => {
    finger.write(fingers, index * finger.bytes, { id: id & 0xff, x: fraction(x), y: fraction(y) });
  });
  return touch.encode({ phase: TOUCH_PHASES.indexOf(phase), count: kept.length }, 0, fingers);
}

/** Decodes a touch message; null if it is invalid. */
export function decodeTouch(bytes: Uint8Array): TouchEvent | null {
  const { phase: code = 255, count = 255 } = touch.decode(bytes) ?? {};
  const phase = TOUCH_PHASES[code];
  const fingers = touch.bodyOf(bytes);
  if (phase === undefined || count > TOUCH_POINTS_MAX || fingers.length !== count * finger.bytes) return null;
  if (count === 0 ? phase === 'start' || phase === 'move' : phase === 'cancel') return null;
  const points = Array.from({ length: count }, (_, index) => {
    const { id = 0, x = 0, y = 0 } = finger.decode(fingers, index * finger.bytes) ?? {};
    return { id, x: x / FULL, y: y / FULL };
  });
  return new Set(points.map(({ id }) => id)).size === count ? { type: 'touch', phase, points } : null;
}
