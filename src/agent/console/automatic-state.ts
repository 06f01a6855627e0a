import { setTimeout as sleep } from 'node:timers/promises';
import type { Emulator } from './emulator.js';
import type { StateSlots } from './slots.js';

/** A crash costs no more of a game than this. */
export const AUTOMATIC_INTERVAL_MS = 20_000;

/** How long a game that was just started may take to be one, ms. */
const START_TIMEOUT_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** So often a game goes on from one and the same state: it may be what kills the emulator. */
const TRIES = 2;

/**
 * Saves the game's state now and then, and goes on from it when the emulator is started: after a crash, and where a
 * profile brought one along.
 */
export class AutomaticState {
  readonly #emulator: () => Emulator;
  readonly #slots: StateSlots;
  #timer: NodeJS.Timeout | undefined;
  /** Nothing is saved before the game is where it was left, nor while it is paused or does not run. */
  #rests = true;
  #hasSaved = false;
  #tries = 0;

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
    this.#timer ??= setInterval(() => void this.save(), AUTOMATIC_INTERVAL_MS).unref();
    const emulator = this.#emulator();
    if ((await this.#slots.has('automatic')) && this.#tries++ < TRIES) await this.#goOn(emulator);
    if (emulator === this.#emulator()) this.#rests = false;
  }

  /** While the game is paused or does not run nothing is saved. */
  rest(on: boolean): void {
    this.#rests = on;
  }

  /** Saves the state where there is one to save. Never rejects. */
  async save(): Promise<void> {
    const emulator = this.#emulator();
    if (this.#rests || (await emulator.status().catch(() => null)) !== 'playing') return;
    await this.#slots.save('automatic').then(
      () => {
        this.#hasSaved = true;
        this.#tries = 0;
      },
      () => undefined,
    );
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #goOn(emulator: Emulator): Promise<void> {
    for (let waited = 0; waited < START_TIMEOUT_MS; waited += LOOK_EVERY_MS) {
      if (emulator !== this.#emulator()) return;
      if ((await emulator.status()) === 'playing') return this.#slots.load('automatic').catch(() => undefined);
      await sleep(LOOK_EVERY_MS);
    }
  }
}
