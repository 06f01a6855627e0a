/** By how much the network may have become slower for good, in milliseconds for each second, before it is believed. */
const DRIFT_PER_SECOND = 1;

/**
 * Decides when packets are played that are held back: each the same time after its capture, so that what the network
 * does in between is not seen. Pictures and sound share one clock and stay together. Times are in milliseconds.
 */
export class PlayoutClock {
  readonly #delay: number;
  /** The quickest way here so far: arrival minus capture, two clocks that have nothing else in common. */
  #offset = Infinity;
  #at = 0;

  /** @param delay added to the quickest packet's way */
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

/** Holds items back, in order, until each one's time has come. */
export class DelayLine<T> {
  readonly #release: (item: T) => void;
  readonly #items: { item: T; at: number }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(release: (item: T) => void) {
    this.#release = release;
  }

  /** @param at in milliseconds of `performance.now()` */
  offer(item: T, at: number): void {
    this.#items.push({ item, at });
    if (this.#items.length === 1) this.#wait();
  }

  /** Forgets what waits. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#items.length = 0;
  }

  #wait(): void {
    const first = this.#items[0];
    if (first !== undefined) this.#timer = setTimeout(() => this.#due(), Math.max(0, first.at - performance.now()));
  }

  #due(): void {
    // Timers are coarse: what is due within a millisecond goes too.
    const now = performance.now() + 1;
    const later = this.#items.findIndex(({ at }) => at > now);
    const due = this.#items.splice(0, later < 0 ? this.#items.length : later);
    for (const { item } of due) this.#release(item);
    this.#wait();
  }
}
