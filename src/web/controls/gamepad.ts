import { listenUntil } from '../lib/dom.js';
import type { Bindings } from './bindings.js';
import type { Control } from './controls.js';
import { amountOf, type PadInput } from './pad-source.js';
import { stateOf, type PadState } from './pad-state.js';

/** The state of a gamepad's controls. */
export const padStateOf = (pad: PadInput, controls: readonly Control[], bindings: Bindings): PadState =>
  stateOf(controls, id => Math.max(0, ...(bindings[id]?.pad ?? []).map(source => amountOf(pad, source))));

/** The browser's gamepads, in the order in which they were connected; none where the page may not have them. */
export function connectedGamepads(): Gamepad[] {
  try {
    return [...(navigator.getGamepads?.() ?? [])].flatMap(pad => (pad?.connected ? [pad] : []));
  } catch {
    // Under a Permissions-Policy that forbids them, asking throws.
    return [];
  }
}

/** Polls the gamepads once per animation frame while there are any. */
export class Gamepads {
  readonly #changed: () => void;
  readonly #listening = new AbortController();
  #frame: number | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
    const listen = listenUntil(this.#listening.signal);
    for (const type of ['gamepadconnected', 'gamepaddisconnected']) listen(window, type, () => this.#look());
    // There are no animation frames in the background: inputs held there would stay held.
    listen(document, 'visibilitychange', () => this.#look());
    // Deferred, since its owner may not be fully constructed yet.
    this.#frame = requestAnimationFrame(() => this.#look());
  }

  /** The gamepads in use; none in the background. */
  get all(): Gamepad[] {
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
