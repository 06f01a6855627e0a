import { setTimeout as sleep } from 'node:timers/promises';
import type { Emulator, EmulatorRun, Status } from './emulator.js';
import { hasState, loadState, saveState } from './slots.js';
import type { SerialQueue } from '../../lib/serial-queue.js';

/** A crash loses at most this much of a game. */
export const AUTOMATIC_INTERVAL_MS = 20_000;

/** Polling interval until a game that was just started plays, ms. */
const LOOK_EVERY_MS = 100;

/** How often an emulator that is slow to answer is asked for its status when its state is saved for the last time. */
const LAST_ASKS = 5;

/** How often a game continues from the same state: the state may be what crashes the emulator. */
const TRIES = 2;

/** Operations on states. */
export interface States {
  has(emulator: Emulator, slot: 'automatic'): Promise<boolean>;
  load(run: EmulatorRun, slot: 'automatic'): Promise<void>;
  save(run: EmulatorRun, slot: 'automatic'): Promise<void>;
}

const STATES: States = { has: hasState, load: loadState, save: saveState };

/**
 * Saves the game's state periodically, and loads it when the emulator is started: after a crash, or from a profile.
 */
export class AutomaticState {
  readonly #queue: SerialQueue;
  readonly #states: States;
  #timer: NodeJS.Timeout | undefined;
  /** The process whose game is back where it was left; until there is one, nothing is saved. */
  #current: EmulatorRun | undefined;
  #hasPlayed = false;
  #wentOn = false;
  #isOver = false;
  #tries = 0;

  constructor(queue: SerialQueue, states = STATES) {
    this.#queue = queue;
    this.#states = states;
  }

  /** Whether an emulator has played the game. */
  get hasPlayed(): boolean {
    return this.#hasPlayed;
  }

  /** Whether the last process that was started loaded a state, or was told to. */
  get wentOn(): boolean {
    return this.#wentOn;
  }

  /**
   * A new process of the emulator was started: resolves with true when its game is back where it was left, with false
   * if that fails. `isThere`: a previous agent started it, and its game is running. Never rejects.
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

  /** Saves the state, if there is one; `last`: the last chance to do so. Never rejects. */
  async save({ last = false } = {}): Promise<void> {
    await this.#queue.run(() => this.#save(last)).catch(() => undefined);
  }

  /** Stops saving automatically. */
  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  async #goOn(run: EmulatorRun): Promise<void> {
    if (!(await this.#states.has(run.emulator, 'automatic')) || this.#tries++ >= TRIES) return;
    this.#wentOn = true;
    await this.#states.load(run, 'automatic');
  }

  /** A paused game was saved while it was last played, or is saved at the end. */
  async #save(last: boolean): Promise<void> {
    const run = this.#current;
    if (run === undefined || run.ended.aborted) return;
    const status = await askedUpTo(last ? LAST_ASKS : 1, run.emulator);
    if (status !== 'playing' && !(last && status === 'paused')) return;
    await this.#states.save(run, 'automatic');
    this.#tries = 0;
  }

  /** Resolves with true when the emulator plays, with false if it ends before. */
  async #plays(run: EmulatorRun): Promise<boolean> {
    while (!this.#isOverFor(run)) {
      if ((await run.emulator.status()) !== null) return true;
      await sleep(LOOK_EVERY_MS);
    }
    return false;
  }

  #isOverFor = ({ ended }: EmulatorRun) => this.#isOver || ended.aborted;
}

/** An emulator's status; null if it does not answer after so many attempts. */
async function askedUpTo(times: number, emulator: Pick<Emulator, 'status'>): Promise<Status> {
  for (let asks = 1; ; asks++) {
    const status = await emulator.status().catch(() => null);
    if (status !== null || asks >= times) return status;
  }
}
