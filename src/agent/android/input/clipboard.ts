import { setTimeout as delay } from 'node:timers/promises';
import { ANDROID_CLIPBOARD_MAX_BYTES } from '../../../protocol/message-type.js';
import type { Control } from '../scrcpy/control.js';

/** How long the device may take to report or to set its clipboard, milliseconds. */
const PATIENCE = 1000;

/** Time for an app to read pasted text before the former clipboard is restored, milliseconds. */
const PASTE_TIME = 300;

/** The device's clipboard, and text that is typed by pasting it. */
export class DeviceClipboard {
  readonly #control: () => Control | undefined;
  readonly #copied: (text: string) => void;
  /** Undefined: not known yet. */
  #content: string | undefined;
  #waiting: ((text: string) => void)[] = [];
  /** While text is being pasted, the clipboard that the device reports was not copied by anybody. */
  #isPasting = false;

  /** `copied` receives what was copied on the device. */
  constructor(control: () => Control | undefined, copied: (text: string) => void) {
    this.#control = control;
    this.#copied = copied;
  }

  /** The device reported its clipboard. */
  told(text: string): void {
    const asked = this.#waiting.splice(0);
    this.#content = text;
    if (asked.length > 0) for (const resolve of asked) resolve(text);
    else if (!this.#isPasting) this.#copied(text);
  }

  /** Sets it to a viewer's text; returns whether it is short enough. */
  set(text: string): boolean {
    if (Buffer.byteLength(text) > ANDROID_CLIPBOARD_MAX_BYTES) return false;
    this.#content = text;
    void this.#put(text, false);
    return true;
  }

  /** Another device, or one that has restarted. */
  forget(): void {
    this.#content = undefined;
  }

  /** Pastes text, then restores the former clipboard. Rejects if the device does not accept it. */
  async paste(text: string): Promise<void> {
    const former = this.#content ?? (await this.#ask());
    this.#isPasting = true;
    try {
      if (!(await this.#put(text, true))) throw new Error('The device did not accept the text.');
      await delay(PASTE_TIME);
      await this.#put(former, false);
      this.#content = former;
    } finally {
      this.#isPasting = false;
    }
  }

  async #ask(): Promise<string> {
    const answer = new Promise<string>(resolve => this.#waiting.push(resolve));
    this.#control()?.askClipboard();
    return Promise.race([answer, delay(PATIENCE, '')]);
  }

  /** Resolves with whether the device has accepted the text. */
  async #put(text: string, paste: boolean): Promise<boolean> {
    const done = this.#control()?.setClipboard(text, paste);
    if (done === undefined) return false;
    const taken = done.then(
      () => true,
      () => false,
    );
    return Promise.race([taken, delay(PATIENCE, false)]);
  }
}
