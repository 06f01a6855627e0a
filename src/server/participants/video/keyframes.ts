/** A key frame that was asked for and has not come after so long is asked for again, ms. */
export const OVERDUE_MS = 300;

/** Coalesces the wishes of many viewers for a key frame: the next one opens every gate. */
export class KeyframeRequests {
  #dueSince = -Infinity;

  constructor(readonly ask: () => void) {}

  /** Asks and returns 0, unless one is on its way: then the time in ms after which to try again. */
  request(now: number): number {
    const wait = this.#dueSince + OVERDUE_MS - now;
    if (wait > 0) return wait;
    this.#dueSince = now;
    this.ask();
    return 0;
  }

  /** A key frame will come without asking, as when the stream starts. */
  expected(now: number): void {
    this.#dueSince = now;
  }

  /** A key frame came. */
  arrived(): void {
    this.#dueSince = -Infinity;
  }
}
