import { PadButton } from '../../../protocol/pad.js';
import { AT_REST, type PadState } from './pad-state.js';

/** RetroPad's buttons in the order of the standard gamepad: what is pressed is where it is on the console's pad. */
const STANDARD: readonly number[] = [
  PadButton.b, PadButton.a, PadButton.y, PadButton.x,
  PadButton.l, PadButton.r, PadButton.l2, PadButton.r2,
  PadButton.select, PadButton.start, PadButton.l3, PadButton.r3,
  PadButton.up, PadButton.down, PadButton.left, PadButton.right,
];

/** A stick that is let go of is hardly ever exactly in the middle. */
const DEAD_ZONE = 0.15;

/** Finer steps would be sent and not felt. */
const STEPS = 64;

/** What is held on a gamepad of the browser. */
export function padStateOf({ buttons, axes }: Pick<Gamepad, 'buttons' | 'axes'>): PadState {
  const held = [...AT_REST.buttons];
  buttons.forEach(({ pressed }, i) => {
    const id = STANDARD[i];
    if (id !== undefined && pressed) held[id] = true;
  });
  return { buttons: held, axes: AT_REST.axes.map((_, id) => axisValue(axes[id] ?? 0)) };
}

function axisValue(value: number): number {
  if (Math.abs(value) < DEAD_ZONE) return 0;
  const beyond = Math.sign(value) * ((Math.min(1, Math.abs(value)) - DEAD_ZONE) / (1 - DEAD_ZONE));
  return Math.round(beyond * STEPS) / STEPS;
}

/** Looks at the gamepads of the browser once a frame, as long as there are any. */
export class Gamepads {
  readonly #changed: () => void;
  readonly #listening = new AbortController();
  #frame: number | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
    const { signal } = this.#listening;
    window.addEventListener('gamepadconnected', () => this.#look(), { signal });
    window.addEventListener('gamepaddisconnected', () => this.#changed(), { signal });
    // Later, since its owner may not be complete yet.
    if (this.states.length > 0) this.#frame = requestAnimationFrame(() => this.#look());
  }

  /** What is held on each gamepad, in the order in which they were plugged in. */
  get states(): PadState[] {
    return [...(navigator.getGamepads?.() ?? [])].flatMap(pad => (pad?.connected ? [padStateOf(pad)] : []));
  }

  stop(): void {
    this.#listening.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #look(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#changed();
    if (this.states.length > 0 && !this.#listening.signal.aborted) this.#frame = requestAnimationFrame(() => this.#look());
  }
}
