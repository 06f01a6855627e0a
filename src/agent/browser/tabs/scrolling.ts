import type { Scroll } from '../../display/messages.js';
import { CallFailure } from '../../link/calls.js';

export interface ScrollingOptions {
  /**
   * Scrolls the page; false where the page is not.
   * @throws CallFailure `tab_error` where the page cannot be scrolled so, others where nothing is known of it
   */
  readonly scrollPage: (scroll: Scroll) => Promise<boolean>;
  /** Turns the wheel instead. */
  readonly turn: (scroll: Scroll) => void;
}

/** Scrolls pages by as many pixels as touchpads and fingers say, not by whole clicks of a wheel. */
export class Scrolling {
  readonly #options: ScrollingOptions;
  /** The sum of what came while the page was being scrolled. */
  #waiting: Scroll | undefined;
  #isBusy = false;

  constructor(options: ScrollingOptions) {
    this.#options = options;
  }

  /** Scrolls the page, by all at once of what comes while it is at it. */
  take(scroll: Scroll): void {
    const { dx, dy } = this.#waiting ?? { dx: 0, dy: 0 };
    this.#waiting = { ...scroll, dx: dx + scroll.dx, dy: dy + scroll.dy };
    if (!this.#isBusy) void this.#carryOut();
  }

  async #carryOut(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#waiting; next !== undefined; next = this.#waiting) {
      this.#waiting = undefined;
      // A page that doesn't answer has heard of it.
      const isScrolled = await this.#options.scrollPage(next).catch(error => !isRefusal(error));
      if (!isScrolled) this.#options.turn(next);
    }
    this.#isBusy = false;
  }
}

const isRefusal = (error: unknown) => error instanceof CallFailure && error.code === 'tab_error';
