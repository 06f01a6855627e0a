import { listenUntil } from '../../lib/dom.js';
import { textChange, type TextChange } from './text-diff.js';

/** Phone keyboards erase only existing text, so the element is never empty. */
const FILLER = '\u00a0'.repeat(32);
/** The element is reset when its text gets longer than this. */
const MAX_LENGTH = 512;

/**
 * Reads input methods and phone keyboards through a text element. Text of an input method counts when composition ends;
 * phone keyboards compose every word, so each step counts.
 */
export class TextInput {
  readonly #element: HTMLTextAreaElement;
  readonly #changed: (change: TextChange) => void;
  readonly #listening = new AbortController();
  readonly #stepwise = matchMedia('(pointer: coarse)').matches;
  #before = FILLER;
  #composing = false;

  constructor(element: HTMLTextAreaElement, changed: (change: TextChange) => void) {
    this.#element = element;
    this.#changed = changed;
    const listen = listenUntil(this.#listening.signal);
    listen(element, 'compositionstart', () => this.#start());
    listen(element, 'compositionend', () => this.#end());
    listen(element, 'input', () => (!this.#composing || this.#stepwise) && this.#compare());
    this.#clear();
  }

  stop(): void {
    this.#listening.abort();
  }

  #start(): void {
    this.#composing = true;
    if (this.#stepwise) return;
    this.#before = '';
    this.#element.classList.add('composing');
  }

  #end(): void {
    this.#composing = false;
    this.#element.classList.remove('composing');
    this.#compare();
    if (!this.#stepwise) this.#clear();
  }

  #compare(): void {
    const now = this.#element.value;
    const change = textChange(this.#before, now);
    this.#before = now;
    if (change.erased > 0 || change.typed !== '') this.#changed(change);
    if (!this.#composing && (now.length < FILLER.length / 2 || now.length > MAX_LENGTH)) this.#clear();
  }

  #clear(): void {
    this.#element.value = this.#stepwise ? FILLER : '';
    this.#before = this.#element.value;
    this.#element.setSelectionRange(this.#before.length, this.#before.length);
  }
}
