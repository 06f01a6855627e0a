import { setTimeout as sleep } from 'node:timers/promises';
import type { Emulator } from './emulator.js';
import type { StateSlots } from './slots.js';

/** A crash costs no more of a game than this. */
export const AUTOMATIC_INTERVAL_MS = 20_000;

/** How long a game that was just started may take to be one, ms. */
const START_TIMEOUT_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** Saves the game's state now and then, and goes on from it when the emulator has been started again. */
export class AutomaticState {
  readonly #emulator: () => Emulator;
  readonly #slots: StateSlots;
  #timer: NodeJS.Timeout | undefined;
  #isPaused = false;
  #hasSaved = false;

  constructor(emulator: () => Emulator, slots: StateSlots) {
    this.#emulator = emulator;
    this.#slots = slots;
  }

  /** Whether the game has been played for so long that a state was saved. */
  get hasSaved(): boolean {
    return this.#hasSaved;
  }

  /** A new process of the emulator was started. Never rejects. */
  async started(): Promise<void> {
    this.#isPaused = false;
    this.#timer ??= setInterval(() => void this.#save(), AUTOMATIC_INTERVAL_MS).unref();
    if (!this.#hasSaved) return;
    const emulator = this.#emulator();
    for (let waited = 0; waited < START_TIMEOUT_MS; waited += LOOK_EVERY_MS) {
      if (emulator !== this.#emulator()) return;
      if ((await emulator.status()) === 'playing') return this.#slots.load('automatic').catch(() => undefined);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** While the game is paused or does not run nothing is saved. */
  pause(on: boolean): void {
    this.#isPaused = on;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #save(): Promise<void> {
    const emulator = this.#emulator();
    if (this.#isPaused || (await emulator.status().catch(() => null)) !== 'playing') return;
    await this.#slots.save('automatic').then(
      () => (this.#hasSaved = true),
      () => undefined,
    );
  }
}
