import { element } from '../../lib/dom.js';

/**
 * Shows that the session has the keyboard's focus, where it came by the keyboard, and how it leaves. Whoever came by a
 * pointer knows where the focus is.
 */
export class FocusMark {
  readonly ring = element('div', { className: 'ring', hidden: true });
  /** Also what describes the element that receives the keys. */
  readonly wayOut = element('p', { className: 'way-out', id: 'way-out' });
  readonly #host: HTMLElement;
  readonly #keys: HTMLElement;
  /** How the focus comes; null: the viewer moves it to the session by the keyboard. */
  #coming: 'marked' | 'unmarked' | null = null;
  /** Whether the whole window is without the focus, to have it again where it was. */
  #isAway = false;
  #isTold = false;
  /** Whether the viewer used a pointer last, and not the keyboard. */
  #isPointed = false;

  /** @param keys receives the keyboard's focus for the session in `host` */
  constructor(host: HTMLElement, keys: HTMLElement) {
    this.#host = host;
    this.#keys = keys;
    this.ring.setAttribute('aria-hidden', 'true');
    keys.setAttribute('aria-describedby', this.wayOut.id);
    keys.addEventListener('focus', () => this.#came());
    keys.addEventListener('blur', () => this.#left());
  }

  /** Moves the focus to the session: it is marked if it was visible where it comes from. */
  focus(): void {
    const before = document.activeElement;
    const isElsewhere = before !== null && !before.contains(this.#host);
    const isVisible = isElsewhere && !this.#isPointed && before.matches(':focus-visible');
    this.#coming = isVisible ? 'marked' : 'unmarked';
    this.#keys.focus({ preventScroll: true });
    this.#coming = null;
  }

  /** Shows the way out, once, to whoever presses Tab in the session as if to leave it. */
  tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.wayOut.classList.add('shown');
  }

  /** A key was pressed, anywhere on the page. */
  keyed(): void {
    this.#isPointed = false;
  }

  /** A pointer was pressed, anywhere on the page. */
  pointed(): void {
    this.#isPointed = true;
    this.#isTold = true;
    this.ring.hidden = true;
    this.wayOut.classList.remove('shown');
  }

  #came(): void {
    if (!this.#isAway && this.#coming !== 'unmarked') {
      this.ring.hidden = false;
      this.wayOut.classList.add('shown');
    }
    this.#isAway = false;
  }

  #left(): void {
    this.#isAway = (this.#keys.getRootNode() as ShadowRoot).activeElement === this.#keys;
    if (this.#isAway) return;
    this.ring.hidden = true;
    this.wayOut.classList.remove('shown');
  }
}
