import { MessageType } from './message-type.js';

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

const HEAD_BYTES = 3;
const POINT_BYTES = 5;
const FULL = 65535;
const fraction = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * FULL);

/** Encodes touches as a binary message; those beyond the tenth are left out. */
export function encodeTouch({ phase, points }: TouchEvent): Uint8Array {
  const kept = points.slice(0, TOUCH_POINTS_MAX);
  const view = new DataView(new ArrayBuffer(HEAD_BYTES + kept.length * POINT_BYTES));
  view.setUint8(0, MessageType.touch);
  view.setUint8(1, TOUCH_PHASES.indexOf(phase));
  view.setUint8(2, kept.length);
  kept.forEach(({ id, x, y }, index) => {
    const at = HEAD_BYTES + index * POINT_BYTES;
    view.setUint8(at, id & 0xff);
    view.setUint16(at + 1, fraction(x), true);
    view.setUint16(at + 3, fraction(y), true);
  });
  return new Uint8Array(view.buffer);
}

/** Decodes a touch message; null if it is invalid. */
export function decodeTouch(bytes: Uint8Array): TouchEvent | null {
  const [, phaseCode = 255, count = 255] = bytes;
  const phase = TOUCH_PHASES[phaseCode];
  if (phase === undefined || count > TOUCH_POINTS_MAX || bytes.length !== HEAD_BYTES + count * POINT_BYTES) return null;
  if (count === 0 ? phase === 'start' || phase === 'move' : phase === 'cancel') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const points = Array.from({ length: count }, (_, index) => {
    const at = HEAD_BYTES + index * POINT_BYTES;
    return { id: view.getUint8(at), x: view.getUint16(at + 1, true) / FULL, y: view.getUint16(at + 3, true) / FULL };
  });
  return new Set(points.map(({ id }) => id)).size === count ? { type: 'touch', phase, points } : null;
}
