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

  /** Takes `count` tokens where at least that many and `reserve` are left; false, and none taken, otherwise. */
  take(now: number, count = 1, reserve = 0): boolean {
    const elapsed = now - (this.#filledAt ?? now);
    this.#tokens = Math.min(this.burst, this.#tokens + (elapsed * this.perSecond) / 1000);
    this.#filledAt = now;
    if (this.#tokens < count + reserve) return false;
    this.#tokens -= count;
    return true;
  }
}
