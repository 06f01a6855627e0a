import { characterOfKeysym, keyOfCharacter, keyOfKeysym, MODIFIERS, SHIFT } from './key-codes.js';
import type { Control, KeyCode } from '../scrcpy/control.js';
import type { Toucher } from './fingers.js';

/** Types text that no key of the device produces. */
export interface Paster {
  /** Inserts text at the cursor; resolves when that is done. */
  paste(text: string): Promise<void>;
}

/** Maximum characters of one message; the server refuses more. */
const TYPED_MAX_BYTES = 300;

type Item = { readonly keys: () => void } | { readonly paste: string };

/** Types in order: characters of the device's keyboard as keys, other text by the clipboard. */
export class Typing {
  readonly #control: () => Control | undefined;
  readonly #paster: Paster;
  readonly #failed: () => void;
  /** The keys that are held, how often each was repeated, and whose they are. */
  readonly #held = new Map<KeyCode, { repeat: number; toucher: Toucher }>();
  readonly #waiting: Item[] = [];
  #isBusy = false;

  /** `failed` is called when the device did not accept text. */
  constructor(control: () => Control | undefined, paster: Paster, failed: () => void) {
    this.#control = control;
    this.#paster = paster;
    this.#failed = failed;
  }

  /** A key of a viewer's keyboard. */
  key(toucher: Toucher, down: boolean, keysym: number): void {
    const character = characterOfKeysym(keysym);
    const key = character === undefined ? keyOfKeysym(keysym) : keyOfCharacter(character);
    if (key !== undefined) return this.#then({ keys: () => this.#press(toucher, down, key.code, key.shift) });
    if (character !== undefined && down) this.#then({ paste: character });
  }

  /** Types text as it is. */
  text(text: string): void {
    const isTypable = Buffer.byteLength(text) <= TYPED_MAX_BYTES && Array.from(text).every(it => keyOfCharacter(it));
    this.#then(isTypable ? { keys: () => this.#control()?.type(text) } : { paste: text });
  }

  /** Releases the keys of viewers that this is true for. */
  left(isGone: (toucher: Toucher) => boolean): void {
    this.#then({
      keys: () => {
        for (const [code, { toucher }] of [...this.#held])
          if (isGone(toucher)) this.#press(toucher, false, code, false);
      },
    });
  }

  /** The device has forgotten them. */
  forget(): void {
    this.#held.clear();
    this.#waiting.length = 0;
  }

  #press(toucher: Toucher, down: boolean, code: KeyCode, shift: boolean): void {
    const held = this.#held.get(code);
    if (!down && held === undefined) return;
    const repeat = down && held !== undefined ? held.repeat + 1 : 0;
    if (down) this.#held.set(code, { repeat, toucher });
    else this.#held.delete(code);
    const modifiers = [...this.#held.keys()].reduce((state, it) => state | (MODIFIERS.get(it) ?? 0), 0);
    this.#control()?.key(down, code, repeat, shift ? modifiers | SHIFT : modifiers);
  }

  #then(item: Item): void {
    if (!this.#isBusy && 'keys' in item) return item.keys();
    this.#waiting.push(item);
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let item = this.#waiting.shift(); item !== undefined; item = this.#waiting.shift()) {
      if ('keys' in item) item.keys();
      else await this.#paster.paste(this.#withFollowing(item.paste)).catch(this.#failed);
    }
    this.#isBusy = false;
  }

  /** Appends text to text that waits last in the queue. */
  #withFollowing(text: string): string {
    let whole = text;
    for (let next = this.#waiting[0]; next !== undefined && 'paste' in next; next = this.#waiting[0]) {
      whole += next.paste;
      this.#waiting.shift();
    }
    return whole;
  }
}
