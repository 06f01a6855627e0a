import type { TouchEvent, TouchPhase } from '../../../protocol/touch.js';

/** A finger in pixels of the display. */
export interface Finger {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface TouchesOptions {
  /** Size of the display in pixels, where it is known. */
  readonly displaySize: () => { width: number; height: number } | undefined;
  readonly touch: (phase: TouchPhase, fingers: readonly Finger[]) => void;
}

type State = { is: 'idle' } | { is: 'touched'; link: object; user: number };

/** The session's one touch screen: the viewer that touches it first has it until all fingers are lifted. */
export class Touches {
  readonly #options: TouchesOptions;
  #state: State = { is: 'idle' };

  constructor(options: TouchesOptions) {
    this.#options = options;
  }

  /** Takes what a viewer, known by its link and number, does with its fingers. */
  take(link: object, user: number, { phase, points }: TouchEvent): void {
    const size = this.#options.displaySize();
    if (size === undefined) return;
    if (this.#state.is === 'idle') {
      if (phase !== 'start') return;
      this.#state = { is: 'touched', link, user };
    }
    if (this.#state.link !== link || this.#state.user !== user) return;
    if (points.length === 0) this.#state = { is: 'idle' };
    this.#options.touch(
      phase,
      points.map(({ id, x, y }) => ({ id, x: x * (size.width - 1), y: y * (size.height - 1) })),
    );
  }

  /** The link is gone, and with it the fingers of its viewers. */
  lost(link: object): void {
    if (this.#state.is === 'idle' || this.#state.link !== link) return;
    this.#state = { is: 'idle' };
    this.#options.touch('cancel', []);
  }
}
