/** A token bucket: `perSecond` on average, `burst` at once. Times in ms of any monotonic clock. */
export class TokenBucket {
  #tokens: number;
  #filledAt: number | undefined;

  constructor(
    readonly perSecond: number,
    readonly burst: number,
  ) {
    this.#tokens = burst;
  }

  /** Takes `count` tokens if there are that many; otherwise returns false and takes none. */
  take(now: number, count = 1): boolean {
    if (!this.holds(now, count)) return false;
    this.#tokens -= count;
    return true;
  }

  /** Whether there are `count` tokens. */
  holds(now: number, count: number): boolean {
    this.#fill(now);
    return this.#tokens >= count;
  }

  /** Takes `count` tokens, going into debt if there are not enough; returns the time until the debt is repaid, ms. */
  spend(now: number, count: number): number {
    this.#fill(now);
    this.#tokens -= count;
    return Math.max(0, (-this.#tokens * 1000) / this.perSecond);
  }

  #fill(now: number): void {
    const elapsed = now - (this.#filledAt ?? now);
    this.#tokens = Math.min(this.burst, this.#tokens + (elapsed * this.perSecond) / 1000);
    this.#filledAt = now;
  }
}
