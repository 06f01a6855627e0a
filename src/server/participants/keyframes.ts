/** Key frames are made at most four times a second. */
export const SPACING_MS = 250;

/** Coalesces the wishes of many viewers for a key frame: one that comes opens every gate. */
export class KeyframeRequests {
  #askedAt = -Infinity;

  constructor(readonly ask: () => void) {}

  /**
   * Asks and returns 0, unless that was done a moment ago: then the key frame under way may serve, and what
   * returns is the time in ms after which to try again.
   */
  request(now: number): number {
    const wait = this.#askedAt + SPACING_MS - now;
    if (wait > 0) return wait;
    this.#askedAt = now;
    this.ask();
    return 0;
  }

  /** A key frame will come without asking, as when the stream starts. */
  expected(now: number): void {
    this.#askedAt = now;
  }
}
