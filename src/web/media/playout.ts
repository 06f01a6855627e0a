/** How fast the network may appear to become permanently slower, in milliseconds per second. */
const DRIFT_PER_SECOND = 1;

/**
 * Schedules delayed playback: each packet plays a fixed time after its capture, so that network jitter becomes
 * invisible. Video and audio share one clock and stay in sync. Times are in milliseconds.
 */
export class PlayoutClock {
  readonly #delay: number;
  /** Shortest transit time so far: arrival minus capture, of two otherwise unrelated clocks. */
  #offset = Infinity;
  #at = 0;

  /** @param delay added to the shortest transit time */
  constructor(delay: number) {
    this.#delay = delay;
  }

  /**
   * When to play a packet that arrives now.
   * @param time of its capture, in microseconds of the session's clock
   */
  playAt(time: number, now: number): number {
    const drifted = this.#offset + ((now - this.#at) / 1000) * DRIFT_PER_SECOND;
    this.#offset = Math.min(drifted, now - time / 1000);
    this.#at = now;
    return Math.max(now, time / 1000 + this.#offset + this.#delay);
  }
}

/** Delays items, in order, until each one's time has come. */
export class DelayLine<T> {
  readonly #release: (item: T) => void;
  readonly #items: { item: T; at: number }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(release: (item: T) => void) {
    this.#release = release;
  }

  /** @param at in milliseconds of `performance.now()` */
  add(item: T, at: number): void {
    this.#items.push({ item, at });
    if (this.#items.length === 1) this.#wait();
  }

  /** Releases all waiting items at once. */
  flush(): void {
    clearTimeout(this.#timer);
    for (const { item } of this.#items.splice(0)) this.#release(item);
  }

  /** Drops all waiting items. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#items.length = 0;
  }

  #wait(): void {
    const first = this.#items[0];
    if (first !== undefined)
      this.#timer = setTimeout(() => this.#releaseDue(), Math.max(0, first.at - performance.now()));
  }

  #releaseDue(): void {
    // Timers are coarse: items due within a millisecond are released too.
    const now = performance.now() + 1;
    const later = this.#items.findIndex(({ at }) => at > now);
    const due = this.#items.splice(0, later < 0 ? this.#items.length : later);
    for (const { item } of due) this.#release(item);
    this.#wait();
  }
}
