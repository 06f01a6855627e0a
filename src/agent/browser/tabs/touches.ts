import type { TouchEvent, TouchPhase } from '../../../protocol/touch.js';

/** A touch in pixels of the display. */
export interface Finger {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface TouchesOptions {
  /** Size of the display in pixels, if known. */
  readonly displaySize: () => { width: number; height: number } | undefined;
  readonly touch: (phase: TouchPhase, fingers: readonly Finger[]) => void;
}

type State = { type: 'idle' } | { type: 'touched'; link: object; user: number };

/** The session's single touch screen: the first viewer to touch it owns it until all its touches have ended. */
export class Touches {
  readonly #options: TouchesOptions;
  #state: State = { type: 'idle' };

  constructor(options: TouchesOptions) {
    this.#options = options;
  }

  /** Handles touches of a viewer, identified by its link and number. */
  take(link: object, user: number, { phase, points }: TouchEvent): void {
    const size = this.#options.displaySize();
    if (size === undefined) return;
    if (this.#state.type === 'idle') {
      if (phase !== 'start') return;
      this.#state = { type: 'touched', link, user };
    }
    if (this.#state.link !== link || this.#state.user !== user) return;
    if (points.length === 0) this.#state = { type: 'idle' };
    this.#options.touch(
      phase,
      points.map(({ id, x, y }) => ({ id, x: x * (size.width - 1), y: y * (size.height - 1) })),
    );
  }

  /** The link is gone, and with it its viewers' touches. */
  lost(link: object): void {
    if (this.#state.type === 'idle' || this.#state.link !== link) return;
    this.#state = { type: 'idle' };
    this.#options.touch('cancel', []);
  }
}
