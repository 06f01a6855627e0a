import { listenUntil } from '../../lib/dom.js';

/** What covers less of the page, in CSS pixels, is a scroll bar, not a keyboard. */
const MIN_HEIGHT = 60;

/** Tells how much of the page's lower edge the keyboard of a phone or tablet covers. */
export class ScreenKeyboard {
  readonly #changed: () => void;
  readonly #listening = new AbortController();

  /** @param changed called when that may have changed */
  constructor(changed: () => void) {
    this.#changed = changed;
    if (visualViewport === null) return;
    const listen = listenUntil(this.#listening.signal);
    for (const type of ['resize', 'scroll']) listen(visualViewport, type, () => this.#changed());
  }

  /** How much of an element at this place of the viewport it covers, in CSS pixels. */
  covers({ bottom, height }: Pick<DOMRect, 'bottom' | 'height'>): number {
    // Where the page itself is enlarged, the rest of it is not covered.
    if (visualViewport === null || Math.abs(visualViewport.scale - 1) > 0.01) return 0;
    const end = visualViewport.offsetTop + visualViewport.height;
    return innerHeight - end < MIN_HEIGHT ? 0 : Math.min(height, Math.max(0, bottom - end));
  }

  stop(): void {
    this.#listening.abort();
  }
}
