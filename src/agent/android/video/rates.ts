/** The bit rates of the device's encoder, in bits per second: a change needs another encoder. */
export const BIT_RATES = [1_000_000, 2_000_000, 4_000_000, 8_000_000] as const;

/** Least milliseconds between two changes. */
export const RATE_INTERVAL = 10_000;

/** The largest rate that is not above a ceiling in kbit/s; the smallest if all are. */
export const rateFor = (kbps: number): number => BIT_RATES.findLast(rate => rate <= kbps * 1000) ?? BIT_RATES[0];

/** Decides when the rate changes. */
export class RateLadder {
  readonly #change: (rate: number) => void;
  readonly #clock: () => number;
  #rate: number;
  #changedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(first: number, change: (rate: number) => void, clock = () => performance.now()) {
    this.#rate = first;
    this.#change = change;
    this.#clock = clock;
  }

  /** The rate in force, bits per second. */
  get rate(): number {
    return this.#rate;
  }

  /** The ceiling is now so many kbit/s. Of several within the interval, the last one counts. */
  limit(kbps: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rate = rateFor(kbps);
    if (rate === this.#rate) return;
    const wait = this.#changedAt + RATE_INTERVAL - this.#clock();
    if (wait <= 0) return this.#begin(rate);
    this.#timer = setTimeout(() => this.#begin(rate), wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #begin(rate: number): void {
    this.#timer = undefined;
    this.#rate = rate;
    this.#changedAt = this.#clock();
    this.#change(rate);
  }
}
