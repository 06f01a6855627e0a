import type { Point } from '../../lib/geometry.js';

/** Minimum interval between moves, in milliseconds: a higher rate would be invisible. */
const INTERVAL_MS = 4;

/** Throttles moves; the first is sent immediately, and the last one is never lost. */
export class MoveThrottle {
  readonly #send: (point: Point) => void;
  #sentAt = -Infinity;
  #waiting: Point | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (point: Point) => void) {
    this.#send = send;
  }

  /** Sends a move, now or when the interval is over. @param now in milliseconds */
  add(point: Point, now: number): void {
    const wait = this.#sentAt + INTERVAL_MS - now;
    if (wait <= 0) return this.#sendNow(point, now);
    this.#waiting = point;
    this.#timer ??= setTimeout(() => this.#waiting && this.#sendNow(this.#waiting, now + wait), wait);
  }

  /** Sends a pending move: what follows comes after it. */
  flush(now: number): void {
    if (this.#waiting !== null) this.#sendNow(this.#waiting, now);
  }

  /** Drops a pending move: the next event carries the position. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = null;
  }

  stop(): void {
    this.cancel();
  }

  #sendNow(point: Point, now: number): void {
    this.cancel();
    this.#sentAt = now;
    this.#send(point);
  }
}
