/** Key frames are made at most four times a second. */
export const SPACING_MS = 250;

/** Coalesces the wishes of many viewers for a key frame: one that comes opens every gate. */
export class KeyframeRequests {
  #askedAt = -Infinity;

  constructor(readonly ask: () => void) {}

  /** Asks, unless that was done a moment ago; then the key frame under way serves, or the wish comes again. */
  request(now: number): boolean {
    if (now - this.#askedAt < SPACING_MS) return false;
    this.#askedAt = now;
    this.ask();
    return true;
  }

  /** A key frame will come without asking, as when the stream starts. */
  expected(now: number): void {
    this.#askedAt = now;
  }
}
