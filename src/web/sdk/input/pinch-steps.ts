/** How far two fingers on a touchpad move apart for one step, as the sum of their wheel events' deltas. */
const STEP = 20;
/** After such a pause, in milliseconds, another pinch begins. */
const PAUSE_MS = 400;

/**
 * Tells pinches of a touchpad from turns of the wheel with Ctrl held: browsers report both as a wheel event with
 * `ctrlKey`. Turns pinches into steps.
 */
export class PinchSteps {
  #isControlDown = false;
  #sum = 0;
  #at = -Infinity;

  /** An event of the mouse or keyboard, which says whether Ctrl is really held. */
  note({ ctrlKey }: { ctrlKey: boolean }): void {
    this.#isControlDown = ctrlKey;
  }

  isPinch({ ctrlKey }: { ctrlKey: boolean }): boolean {
    return ctrlKey && !this.#isControlDown;
  }

  /** Whole steps of a pinch, positive to enlarge. @param delta of the wheel event @param now milliseconds */
  add(delta: number, now: number): number {
    if (now - this.#at > PAUSE_MS) this.#sum = 0;
    this.#at = now;
    this.#sum -= delta;
    const steps = Math.trunc(this.#sum / STEP);
    this.#sum -= steps * STEP;
    return steps;
  }
}
