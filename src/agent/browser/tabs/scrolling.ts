import type { Scroll } from '../../display/messages.js';
import { CallFailure } from '../../link/calls.js';

export interface ScrollingOptions {
  /**
   * Scrolls the page; false if the page does not scroll.
   * @throws CallFailure `tab_error` if the page cannot be scrolled this way, others if the result is unknown
   */
  readonly scrollPage: (scroll: Scroll) => Promise<boolean>;
  /** Turns the wheel instead. */
  readonly turn: (scroll: Scroll) => void;
}

/** Scrolls pages by pixels, as touchpads and touch report them, instead of whole wheel notches. */
export class Scrolling {
  readonly #options: ScrollingOptions;
  /** The sum of scrolling requested while a scroll is in progress. */
  #waiting: Scroll | undefined;
  #isBusy = false;

  constructor(options: ScrollingOptions) {
    this.#options = options;
  }

  /** Scrolls the page, coalescing requests that arrive while a scroll is in progress. */
  take(scroll: Scroll): void {
    const { dx, dy } = this.#waiting ?? { dx: 0, dy: 0 };
    this.#waiting = { ...scroll, dx: dx + scroll.dx, dy: dy + scroll.dy };
    if (!this.#isBusy) void this.#carryOut();
  }

  async #carryOut(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#waiting; next !== undefined; next = this.#waiting) {
      this.#waiting = undefined;
      // A page that does not answer may still have scrolled.
      const isScrolled = await this.#options.scrollPage(next).catch(error => !isRefusal(error));
      if (!isScrolled) this.#options.turn(next);
    }
    this.#isBusy = false;
  }
}

const isRefusal = (error: unknown) => error instanceof CallFailure && error.code === 'tab_error';
