import type { Point } from '../view/geometry.js';

/** Moves are this far apart at least, in milliseconds: more often nothing can see them. */
const INTERVAL_MS = 4;

/** Lets moves through at once, but not too often; the last one always gets through. */
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

  /** Forgets a waiting move: what follows says where the pointer is. */
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
