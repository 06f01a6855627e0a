import type { InputEvent } from '../../../protocol/input.js';
import { plainKeysym, type KeyMap } from './key-map.js';
import { AT_REST, type PadState } from './pad-state.js';

/** A pad made of the keys of a keyboard. Keys that have no meaning on it do nothing. */
export class KeyPad {
  readonly #map: KeyMap;
  readonly #held = new Set<number>();

  constructor(map: KeyMap) {
    this.#map = map;
  }

  /** Takes input of the keyboard; whether the pad has changed. */
  take(event: InputEvent): boolean {
    if (event.type === 'release') {
      const held = this.#held.size > 0;
      this.#held.clear();
      return held;
    }
    if (event.type !== 'key') return false;
    const keysym = plainKeysym(event.keysym);
    if (!this.#map.has(keysym) || this.#held.has(keysym) === event.down) return false;
    if (event.down) this.#held.add(keysym);
    else this.#held.delete(keysym);
    return true;
  }

  get state(): PadState {
    const buttons = [...AT_REST.buttons];
    const axes = [...AT_REST.axes];
    for (const keysym of this.#held) {
      const action = this.#map.get(keysym);
      if (action === undefined) continue;
      if ('button' in action) buttons[action.button] = true;
      else axes[action.axis] = (axes[action.axis] ?? 0) + action.value;
    }
    return { buttons, axes };
  }
}
