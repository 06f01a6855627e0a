/** A background page counts as hidden after this time, in milliseconds. */
const HIDDEN_AFTER_MS = 5000;

/** Tracks whether the page is visible; a page hidden only for a moment counts as visible. */
export class Visibility {
  readonly #changed: (hidden: boolean) => void;
  readonly #listening = new AbortController();
  #hidden = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: (hidden: boolean) => void) {
    this.#changed = changed;
    document.addEventListener('visibilitychange', () => this.#turned(), { signal: this.#listening.signal });
  }

  get hidden(): boolean {
    return this.#hidden;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#listening.abort();
  }

  #turned(): void {
    clearTimeout(this.#timer);
    if (document.hidden) this.#timer = setTimeout(() => this.#set(true), HIDDEN_AFTER_MS);
    else this.#set(false);
  }

  #set(hidden: boolean): void {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    this.#changed(hidden);
  }
}
