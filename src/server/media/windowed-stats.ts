/** Minimum over the last one to two windows, Infinity before the first value. */
export class WindowedMinimum {
  #current = Infinity;
  #previous = Infinity;
  #startedAt = -Infinity;

  constructor(readonly windowMs: number) {}

  get value(): number {
    return Math.min(this.#current, this.#previous);
  }

  add(value: number, now: number): void {
    if (now - this.#startedAt > this.windowMs) {
      this.#previous = this.#current;
      this.#current = value;
      this.#startedAt = now;
    }
    this.#current = Math.min(this.#current, value);
  }
}

/** Rate in kbit/s over the last complete or the current window, whichever is higher. */
export class Throughput {
  #bytes = 0;
  #previous = 0;
  #startedAt = -Infinity;

  constructor(readonly windowMs: number) {}

  add(bytes: number, now: number): void {
    this.#turn(now);
    this.#bytes += bytes;
  }

  kbps(now: number): number {
    this.#turn(now);
    return (Math.max(this.#bytes, this.#previous) * 8) / this.windowMs;
  }

  #turn(now: number): void {
    const elapsed = now - this.#startedAt;
    if (elapsed < this.windowMs) return;
    this.#previous = elapsed < 2 * this.windowMs ? this.#bytes : 0;
    this.#bytes = 0;
    this.#startedAt = now;
  }
}
