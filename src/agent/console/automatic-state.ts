import { setTimeout as sleep } from 'node:timers/promises';
import type { Emulator, EmulatorRun, Status } from './emulator.js';
import { hasState, loadState, saveState } from './slots.js';
import type { SerialQueue } from './serial-queue.js';

/** A crash costs no more of a game than this. */
export const AUTOMATIC_INTERVAL_MS = 20_000;

/** How often a game that was just started is asked whether it is one yet, ms. */
const LOOK_EVERY_MS = 100;

/** So often an emulator that is slow to answer is asked whether it plays when its state is saved for the last time. */
const LAST_ASKS = 5;

/** So often a game goes on from one and the same state: it may be what kills the emulator. */
const TRIES = 2;

/** What is done with states. */
export interface States {
  has(emulator: Emulator, slot: 'automatic'): Promise<boolean>;
  load(run: EmulatorRun, slot: 'automatic'): Promise<void>;
  save(run: EmulatorRun, slot: 'automatic'): Promise<void>;
}

const STATES: States = { has: hasState, load: loadState, save: saveState };

/**
 * Saves the game's state now and then, and goes on from it when the emulator is started: after a crash, and where a
 * profile brought one along.
 */
export class AutomaticState {
  readonly #queue: SerialQueue;
  readonly #states: States;
  #timer: NodeJS.Timeout | undefined;
  /** The process whose game is where it was left; nothing is saved before, nor without one. */
  #current: EmulatorRun | undefined;
  #hasPlayed = false;
  #wentOn = false;
  #isOver = false;
  #tries = 0;

  constructor(queue: SerialQueue, states = STATES) {
    this.#queue = queue;
    this.#states = states;
  }

  /** Whether an emulator has come as far as to play the game. */
  get hasPlayed(): boolean {
    return this.#hasPlayed;
  }

  /** Whether the game of the process that was started last went on from a state, or was told to. */
  get wentOn(): boolean {
    return this.#wentOn;
  }

  /**
   * A new process of the emulator was started: resolves with true when its game is where it was left, with false where
   * it does not come to that. `isThere`: it was started by an agent before, and its game goes on. Never rejects.
   */
  async started(run: EmulatorRun, { isThere = false } = {}): Promise<boolean> {
    this.#hasPlayed ||= isThere;
    this.#wentOn = false;
    if (!(await this.#plays(run))) return false;
    this.#hasPlayed = true;
    if (!isThere) await this.#queue.run(() => this.#goOn(run)).catch(() => undefined);
    if (this.#isOverFor(run)) return false;
    this.#current = run;
    this.#timer ??= setInterval(() => void this.save(), AUTOMATIC_INTERVAL_MS).unref();
    return true;
  }

  /** Saves the state where there is one to save; `last`: what is not saved now is lost. Never rejects. */
  async save({ last = false } = {}): Promise<void> {
    await this.#queue.run(() => this.#save(last)).catch(() => undefined);
  }

  /** Saves nothing any more by itself. */
  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  async #goOn(run: EmulatorRun): Promise<void> {
    if (!(await this.#states.has(run.emulator, 'automatic')) || this.#tries++ >= TRIES) return;
    this.#wentOn = true;
    await this.#states.load(run, 'automatic');
  }

  /** What is paused was saved when it was played last, or is saved at the end. */
  async #save(last: boolean): Promise<void> {
    const run = this.#current;
    if (run === undefined || run.ended.aborted) return;
    const status = await askedUpTo(last ? LAST_ASKS : 1, run.emulator);
    if (status !== 'playing' && !(last && status === 'paused')) return;
    await this.#states.save(run, 'automatic');
    this.#tries = 0;
  }

  /** Resolves with true when the emulator has begun to play, with false where it does not come to that. */
  async #plays(run: EmulatorRun): Promise<boolean> {
    while (!this.#isOverFor(run)) {
      if ((await run.emulator.status()) !== null) return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  #isOverFor = ({ ended }: EmulatorRun) => this.#isOver || ended.aborted;
}

/** What an emulator says of itself; null where it does not answer however often it is asked. */
async function askedUpTo(times: number, emulator: Pick<Emulator, 'status'>): Promise<Status> {
  for (let asks = 1; ; asks++) {
    const status = await emulator.status().catch(() => null);
    if (status !== null || asks >= times) return status;
  }
}
