import type { Scroll } from '../display/messages.js';
import { CallFailure } from '../link/calls.js';

/**
 * Scrolls the page; false where the page is not.
 * @throws CallFailure `tab_error` where the page cannot be scrolled so, others where nothing is known of it
 */
type ScrollPage = (scroll: Scroll) => Promise<boolean>;

/** What came while the page was being scrolled. */
interface Waiting {
  sum: Scroll;
  readonly turns: (() => void)[];
}

/** Scrolls pages by as many pixels as touchpads and fingers say, not by whole clicks of a wheel. */
export class Scrolling {
  readonly #scrollPage: ScrollPage;
  #waiting: Waiting | undefined;
  #isBusy = false;

  constructor(scrollPage: ScrollPage) {
    this.#scrollPage = scrollPage;
  }

  /** Scrolls the page, by all at once of what comes while it is at it; calls `turn` where it cannot. */
  take(scroll: Scroll, turn: () => void): void {
    const { sum, turns } = this.#waiting ?? { sum: { dx: 0, dy: 0 }, turns: [] };
    this.#waiting = { sum: { ...scroll, dx: sum.dx + scroll.dx, dy: sum.dy + scroll.dy }, turns: [...turns, turn] };
    if (!this.#isBusy) void this.#carryOut();
  }

  async #carryOut(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#waiting; next !== undefined; next = this.#waiting) {
      this.#waiting = undefined;
      // A page that doesn't answer has heard of it.
      const isScrolled = await this.#scrollPage(next.sum).catch(error => !isRefusal(error));
      if (!isScrolled) for (const turn of next.turns) turn();
    }
    this.#isBusy = false;
  }
}

const isRefusal = (error: unknown) => error instanceof CallFailure && error.code === 'tab_error';
