/** Places for test files that run at the same time, shared by phases beside each other. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a place, `first` before all others that wait; resolves with what gives it back. */
  async take(first = false): Promise<() => void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => (first ? this.#waiting.unshift(resolve) : this.#waiting.push(resolve)));
    return () => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    };
  }
}
