import type { InputSink } from './input-sink.js';
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

const [CONTROL, V] = [0xffe3, 0x76];

/** Presses the shortcut that pastes in the session. */
export function pressPaste(sink: Pick<InputSink, 'send'>): void {
  for (const keysym of [CONTROL, V]) sink.send({ type: 'key', down: true, keysym });
  for (const keysym of [V, CONTROL]) sink.send({ type: 'key', down: false, keysym });
}

/** Makes sure that the session has the clipboard's content before the key that pastes it. */
export class PasteOrder {
  /** Presses the shortcut anew. */
  readonly #press: () => void;
  #keys: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(press: () => void) {
    this.#press = press;
  }

  /** Holds keys back until it is known what they paste. */
  expect(keys: () => void): void {
    this.flush();
    this.#keys = keys;
    this.#timer = setTimeout(() => this.flush(), PASTE_WAIT_MS);
  }

  /**
   * The clipboard's content is there (true), on its way, or cannot be pasted. Other keys do not wait for what is on its
   * way, and the shortcut follows when it has come.
   */
  pasted(isThere: boolean | Promise<boolean>): void {
    if (isThere === true) return this.flush();
    this.cancel();
    if (isThere !== false) void isThere.then(it => it && this.#press());
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
