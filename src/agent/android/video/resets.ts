/** Minimum interval between two resets of an encoder, milliseconds. */
export const RESET_INTERVAL = 2000;

/** Milliseconds after which a reset that brought no key frame no longer counts as under way. */
const RESET_PATIENCE = 4000;

/**
 * Key frames on request. Android's encoders are reset for one, which costs the device a moment: one reset is under way
 * at a time, with a minimum interval between two. Requests meanwhile get the next key frame, or cause one more reset.
 */
export class EncoderResets {
  readonly #reset: () => void;
  readonly #clock: () => number;
  #last = -Infinity;
  #isUnderWay = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(reset: () => void, clock = () => performance.now()) {
    this.#reset = reset;
    this.#clock = clock;
  }

  /** Somebody needs a key frame. */
  request(): void {
    if (this.#timer !== undefined) return;
    const since = this.#clock() - this.#last;
    if (this.#isUnderWay && since < RESET_PATIENCE) return;
    if (since >= RESET_INTERVAL) return this.#begin();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#begin();
    }, RESET_INTERVAL - since);
  }

  /** A key frame came, whatever it was for: nobody needs another one. */
  arrived(): void {
    this.#isUnderWay = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Another encoder is in force, which begins with a key frame. */
  stop(): void {
    this.arrived();
  }

  #begin(): void {
    this.#isUnderWay = true;
    this.#last = this.#clock();
    this.#reset();
  }
}
