import type { Quality } from '../../../protocol/message-type.js';

/** The bit rates of the device's encoder, bits per second. A few steps, since each change needs another encoder. */
export const BIT_RATES = [1_000_000, 2_000_000, 4_000_000, 8_000_000] as const;

/** Minimum interval between two changes, milliseconds. */
export const RATE_INTERVAL = 10_000;

/** The largest rate within a maximum in kbit/s, or else the smallest. The quality `blocky` has the smallest. */
export function rateFor(kbps: number, quality: Quality): number {
  if (quality === 'blocky') return BIT_RATES[0];
  return BIT_RATES.findLast(rate => rate <= kbps * 1000) ?? BIT_RATES[0];
}

export interface RateLadderOptions {
  /** Bits per second to begin with. */
  readonly first: number;
  /** Begins to change the rate. */
  readonly change: (rate: number) => void;
  /** Whether the rate must stay for now; `freed` follows. */
  readonly isHeld: () => boolean;
  /** Milliseconds. */
  readonly clock?: () => number;
}

/** Decides when the rate changes. */
export class RateLadder {
  readonly #options: RateLadderOptions;
  readonly #clock: () => number;
  #rate: number;
  #wanted: number;
  #changedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RateLadderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    this.#rate = this.#wanted = options.first;
  }

  /** Sets the wanted rate. Of several within the interval, or while the rate is held, the last one counts. */
  want(rate: number): void {
    this.#wanted = rate;
    this.#consider();
  }

  /** Nothing holds the rate any more. */
  freed(): void {
    this.#consider();
  }

  /** It could not be changed from this one, which stays until another one is wanted. */
  failed(rate: number): void {
    this.#rate = this.#wanted = rate;
    this.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #consider(): void {
    this.stop();
    if (this.#wanted === this.#rate || this.#options.isHeld()) return;
    const wait = this.#changedAt + RATE_INTERVAL - this.#clock();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#consider(), wait);
      return;
    }
    this.#rate = this.#wanted;
    this.#changedAt = this.#clock();
    this.#options.change(this.#rate);
  }
}
