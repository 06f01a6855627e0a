/** How long after an input a viewer counts as using the session, in milliseconds. */
export const RECENT_MS = 1500;

/** Whether this viewer uses the session or only watches it. Times are in milliseconds of `performance.now()`. */
export class RecentUse {
  #at = -Infinity;

  /** The viewer has sent input. */
  note(now: number): void {
    this.#at = now;
  }

  isRecent(now: number): boolean {
    return now - this.#at < RECENT_MS;
  }
}
