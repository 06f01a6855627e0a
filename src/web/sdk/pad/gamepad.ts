import { listenUntil } from '../../lib/dom.js';
import type { Bindings } from './bindings.js';
import type { Control } from './controls.js';
import { amountOf, type PadInput } from './pad-source.js';
import { stateOf, type PadState } from './pad-state.js';

/** What is held on a gamepad of the browser. */
export const padStateOf = (pad: PadInput, controls: readonly Control[], bindings: Bindings): PadState =>
  stateOf(controls, id => Math.max(0, ...(bindings[id]?.pad ?? []).map(source => amountOf(pad, source))));

/** The gamepads of the browser, in the order in which they were plugged in. */
export const connectedGamepads = (): Gamepad[] =>
  [...(navigator.getGamepads?.() ?? [])].flatMap(pad => (pad?.connected ? [pad] : []));

/** Looks at the gamepads of the browser once a frame, as long as there are any. */
export class Gamepads {
  readonly #changed: () => void;
  readonly #listening = new AbortController();
  #frame: number | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
    const listen = listenUntil(this.#listening.signal);
    for (const type of ['gamepadconnected', 'gamepaddisconnected']) listen(window, type, () => this.#look());
    // There are no frames in the background: what is held there would stay held.
    listen(document, 'visibilitychange', () => this.#look());
    // Later, since its owner may not be complete yet.
    this.#frame = requestAnimationFrame(() => this.#look());
  }

  /** What can be played on; nothing in the background. */
  get all(): PadInput[] {
    return document.hidden ? [] : connectedGamepads();
  }

  stop(): void {
    this.#listening.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #look(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#changed();
    if (this.all.length > 0 && !this.#listening.signal.aborted) this.#frame = requestAnimationFrame(() => this.#look());
  }
}
