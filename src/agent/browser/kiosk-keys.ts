import type { InputEvent } from '../../protocol/input.js';

/** X11 keysyms. */
const F1 = 0xffbe;
const ESCAPE = 0xff1b;
const SHIFTS: readonly number[] = [0xffe1, 0xffe2];
const CONTROLS: readonly number[] = [0xffe3, 0xffe4];
const O: readonly number[] = [0x6f, 0x4f];
/** The place of that key, which Chromium goes by where its letter is not Latin. */
const PLACE_OF_O = 32;

/** Keys that open windows of Chromium's own, which no policy closes: its help, its task manager, a file's dialog. */
export class KioskKeys {
  /** Modifiers that are held. */
  readonly #held = new Set<number>();

  /** Whether an input may reach a kiosk. Releases always may. */
  passes(event: InputEvent): boolean {
    if (event.type === 'release') this.#held.clear();
    if (event.type !== 'key') return true;
    const { down, keysym, code } = event;
    if (SHIFTS.includes(keysym) || CONTROLS.includes(keysym)) {
      if (down) this.#held.add(keysym);
      else this.#held.delete(keysym);
    }
    if (!down) return true;
    const isHeld = (keys: readonly number[]) => keys.some(key => this.#held.has(key));
    const isO = O.includes(keysym) || code === PLACE_OF_O;
    return keysym !== F1 && !(keysym === ESCAPE && isHeld(SHIFTS)) && !(isO && isHeld(CONTROLS));
  }
}
