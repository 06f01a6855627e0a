import { setTimeout as sleep } from 'node:timers/promises';
import type { Emulator, Status } from './emulator.js';
import type { StateSlots } from './slots.js';

/** A crash costs no more of a game than this. */
export const AUTOMATIC_INTERVAL_MS = 20_000;

/** How often a game that was just started is asked whether it is one yet, ms. */
const LOOK_EVERY_MS = 100;

/** So often an emulator that is slow to answer is asked whether it plays when its state is saved for the last time. */
const LAST_ASKS = 5;

/** So often a game goes on from one and the same state: it may be what kills the emulator. */
const TRIES = 2;

type Playing = Pick<Emulator, 'status'>;
type Slots = Pick<StateSlots, 'has' | 'load' | 'save'>;

/**
 * Saves the game's state now and then, and goes on from it when the emulator is started: after a crash, and where a
 * profile brought one along.
 */
export class AutomaticState {
  readonly #emulator: () => Playing;
  readonly #slots: Slots;
  #timer: NodeJS.Timeout | undefined;
  /** Nothing is saved before the game is where it was left, nor while it is paused or does not run. */
  #rests = true;
  #hasPlayed = false;
  #isOver = false;
  #tries = 0;

  constructor(emulator: () => Playing, slots: Slots) {
    this.#emulator = emulator;
    this.#slots = slots;
  }

  /** Whether an emulator has come as far as to play the game. */
  get hasPlayed(): boolean {
    return this.#hasPlayed;
  }

  /** A new process of the emulator was started. Never rejects. */
  async started(): Promise<void> {
    this.#timer ??= setInterval(() => void this.save(), AUTOMATIC_INTERVAL_MS).unref();
    const emulator = this.#emulator();
    if (!(await this.#plays(emulator))) return;
    this.#hasPlayed = true;
    if ((await this.#slots.has('automatic')) && this.#tries++ < TRIES) await this.#slots.load('automatic').catch(() => undefined);
    if (emulator === this.#emulator()) this.#rests = false;
  }

  /** While the game is paused or does not run nothing is saved. */
  rest(on: boolean): void {
    this.#rests = on;
  }

  /** Saves the state where there is one to save; `last`: what is not saved now is lost. Never rejects. */
  async save({ last = false } = {}): Promise<void> {
    const emulator = this.#emulator();
    if (this.#rests || (await askedUpTo(last ? LAST_ASKS : 1, emulator)) !== 'playing') return;
    await this.#slots.save('automatic').then(
      () => (this.#tries = 0),
      () => undefined,
    );
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  /** Resolves with true when the emulator plays, with false where it does not come to that. */
  async #plays(emulator: Playing): Promise<boolean> {
    while (emulator === this.#emulator() && !this.#isOver) {
      if ((await emulator.status()) === 'playing') return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }
}

/** What an emulator says of itself; null where it does not answer however often it is asked. */
async function askedUpTo(times: number, emulator: Playing): Promise<Status> {
  for (let asks = 1; ; asks++) {
    const status = await emulator.status().catch(() => null);
    if (status !== null || asks >= times) return status;
  }
}
