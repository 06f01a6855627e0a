import type { TouchPhase } from '../../protocol/touch.js';

/** A finger in pixels of the display. */
export interface Finger {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

/** All fingers on the display after something happened to them. */
export interface Touch {
  readonly phase: TouchPhase;
  readonly fingers: readonly Finger[];
}

/** Pixels that a finger may leap by one move: Chromium knows a gesture by the way that fingers go, not by its end. */
const LEAP = 24;
/** Touches that wait; from then on moves are taken together however far they lead. */
const WAITING_MAX = 64;

/** What happens to fingers while the browser is busy. Of moves that wait only as many are kept as show the way. */
export class TouchQueue {
  readonly #waiting: Touch[] = [];
  /** Where the fingers are before the last one that waits. */
  #before: readonly Finger[] = [];

  add(touch: Touch): void {
    const last = this.#waiting.at(-1);
    const isLate = this.#waiting.length >= WAITING_MAX;
    if (touch.phase === 'move' && last?.phase === 'move' && (isLate || !leaps(this.#before, touch.fingers))) {
      this.#waiting[this.#waiting.length - 1] = touch;
      return;
    }
    this.#before = last?.fingers ?? [];
    this.#waiting.push(touch);
  }

  /** The next one; undefined where none waits. */
  take(): Touch | undefined {
    return this.#waiting.shift();
  }
}

/** Whether a finger would leap; one that was not known does. */
const leaps = (before: readonly Finger[], after: readonly Finger[]) =>
  after.some(({ id, x, y }) => {
    const from = before.find(finger => finger.id === id);
    return from === undefined || Math.hypot(x - from.x, y - from.y) > LEAP;
  });
