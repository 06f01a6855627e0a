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

  /** Takes a token where that leaves `reserve`; false, and none taken, otherwise. */
  take(now: number, reserve = 0): boolean {
    this.#fill(now);
    if (this.#tokens < 1 + reserve) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes `count` tokens, on credit where there are not enough; the time until the debt is paid, ms. */
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
