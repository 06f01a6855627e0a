import type { Point } from '../view/geometry.js';

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

  /** @param now in milliseconds */
  offer(point: Point, now: number): void {
    const wait = this.#sentAt + INTERVAL_MS - now;
    if (wait <= 0) return this.#let(point, now);
    this.#waiting = point;
    this.#timer ??= setTimeout(() => this.#waiting && this.#let(this.#waiting, now + wait), wait);
  }

  /** Sends a pending move: what follows comes after it. */
  flush(now: number): void {
    if (this.#waiting !== null) this.#let(this.#waiting, now);
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

  #let(point: Point, now: number): void {
    this.cancel();
    this.#sentAt = now;
    this.#send(point);
  }
}
