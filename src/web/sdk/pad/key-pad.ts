import type { InputEvent } from '../../../protocol/input.js';
import { plainKeysym } from '../../controls/keysyms.js';
import type { Bindings } from '../../controls/bindings.js';
import type { Control } from '../../controls/controls.js';
import { stateOf, type PadState } from '../../controls/pad-state.js';

/** A pad made of keyboard keys. Keys without a binding do nothing. */
export class KeyPad {
  readonly #controls: readonly Control[];
  readonly #held = new Set<number>();
  #bindings: Bindings;

  constructor(controls: readonly Control[], bindings: Bindings) {
    this.#controls = controls;
    this.#bindings = bindings;
  }

  set bindings(bindings: Bindings) {
    this.#bindings = bindings;
    this.#held.clear();
  }

  /** Handles keyboard input; returns whether the pad has changed. */
  handle(event: InputEvent): boolean {
    if (event.type === 'release') {
      const held = this.#held.size > 0;
      this.#held.clear();
      return held;
    }
    if (event.type !== 'key') return false;
    const keysym = plainKeysym(event.keysym);
    if (!this.#isBound(keysym) || this.#held.has(keysym) === event.down) return false;
    if (event.down) this.#held.add(keysym);
    else this.#held.delete(keysym);
    return true;
  }

  get state(): PadState {
    return stateOf(this.#controls, id => (this.#bindings[id]?.keys.some(key => this.#held.has(key)) ? 1 : 0));
  }

  #isBound(keysym: number): boolean {
    return Object.values(this.#bindings).some(({ keys }) => keys.includes(keysym));
  }
}
