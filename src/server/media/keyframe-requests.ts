/** After this long a requested key frame that has not arrived is requested again, ms. */
const OVERDUE_MS = 300;

/** Coalesces key frame requests: one key frame serves all viewers. */
export class KeyframeRequests {
  #dueSince = -Infinity;

  constructor(readonly ask: () => void) {}

  /** Requests one and returns 0, unless one is pending: then returns the time in ms after which to try again. */
  request(now: number): number {
    const wait = this.#dueSince + OVERDUE_MS - now;
    if (wait > 0) return wait;
    this.#dueSince = now;
    this.ask();
    return 0;
  }

  /** A key frame will come without a request, as at the start of the stream. */
  expected(now: number): void {
    this.#dueSince = now;
  }

  /** A key frame arrived. */
  arrived(): void {
    this.#dueSince = -Infinity;
  }
}
