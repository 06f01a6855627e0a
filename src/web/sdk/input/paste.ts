import type { Platform } from './key-translator.js';

/** Without a paste event within this time, there is nothing to paste, or pasting is forbidden. */
const PASTE_WAIT_MS = 120;

/** Whether these keys make the viewer's browser paste. */
export function isPasteShortcut(
  event: { key: string; code: string; ctrlKey: boolean; metaKey: boolean; shiftKey: boolean; altKey: boolean },
  platform: Platform,
): boolean {
  if (event.altKey) return false;
  if (event.key === 'Insert') return event.shiftKey && !event.ctrlKey && !event.metaKey;
  const modifier = platform === 'mac' ? event.metaKey : event.ctrlKey;
  return modifier && (event.key.toLowerCase() === 'v' || event.code === 'KeyV');
}

/** Makes sure that the session has the clipboard's text before the key that pastes it. */
export class PasteOrder {
  readonly #clipboard: (text: string) => void;
  #keys: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clipboard: (text: string) => void) {
    this.#clipboard = clipboard;
  }

  /** Holds keys back until the text has arrived. */
  expect(keys: () => void): void {
    this.flush();
    this.#keys = keys;
    this.#timer = setTimeout(() => this.flush(), PASTE_WAIT_MS);
  }

  pasted(text: string): void {
    if (text !== '') this.#clipboard(text);
    this.flush();
  }

  /** Sends the keys now, since something else follows them. */
  flush(): void {
    const keys = this.#keys;
    this.cancel();
    keys?.();
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#keys = null;
  }
}
