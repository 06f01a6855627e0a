import { amountOf, isCentred, numberOf, pressedSince, type PadInput, type PadSource } from './pad-source.js';

/** An axis is at rest when it has hardly moved for so many frames: triggers tell where they rest after the first press. */
const STEADY_FRAMES = 6;
const HARDLY = 0.05;
const RELEASED = 0.5;

/** An axis that was pushed, until it rests again. */
interface Pushed {
  readonly source: PadSource;
  value: number;
  frames: number;
}

/** Tells the inputs of a gamepad that are pressed one after the other, each once. */
export class PadPresses {
  #buttons: boolean[] | null = null;
  #axes: number[] = [];
  readonly #pushed = new Map<number, Pushed>();

  /** Looks at the gamepad, once a frame; returns the input that was pressed since the last look, or null. */
  look(now: PadInput): PadSource | null {
    const down = now.buttons.map(({ pressed }) => pressed);
    if (this.#buttons === null) {
      this.#buttons = down;
      this.#axes = [...now.axes];
      return null;
    }
    this.#buttons = this.#buttons.map((held, i) => held && down[i] === true);
    for (const [axis, pushed] of this.#pushed) this.#wait(axis, pushed, now);
    const axes = now.axes.map((value, axis) => (this.#pushed.has(axis) ? value : (this.#axes[axis] ?? value)));
    const buttons = this.#buttons.map(pressed => ({ pressed, touched: pressed, value: Number(pressed) }));
    const source = pressedSince({ buttons, axes }, now);
    if (source !== null) this.#take(source, now);
    return source;
  }

  #take(source: PadSource, now: PadInput): void {
    const number = numberOf(source);
    if (source.startsWith('b') && this.#buttons !== null) this.#buttons[number] = true;
    else this.#pushed.set(number, { source, value: now.axes[number] ?? 0, frames: 0 });
  }

  #wait(axis: number, pushed: Pushed, now: PadInput): void {
    const value = now.axes[axis] ?? 0;
    const isReleased = pushed.source.startsWith('h') ? isCentred(value) : amountOf(now, pushed.source) < RELEASED;
    const isSteady = isReleased && Math.abs(value - pushed.value) < HARDLY;
    pushed.value = value;
    pushed.frames = isSteady ? pushed.frames + 1 : 0;
    if (pushed.frames < STEADY_FRAMES) return;
    this.#axes[axis] = value;
    this.#pushed.delete(axis);
  }
}
