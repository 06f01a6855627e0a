import type { Exit } from '../process/program.js';

/** An emulator that has played this long without a crash is not replaced by another one, ms. */
export const PROVEN_AFTER_MS = 20_000;

/** Attempts with a sole emulator: a crash may be accidental. */
const TRIES_OF_ONE = 2;

/** Signals with which a faulty program ends; other signals are sent by others. */
const CRASHES: ReadonlySet<string> = new Set([
  ...['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS'],
]);

/** An emulator process that has ended. */
export interface EndedRun {
  /** How long it ran, ms. */
  readonly ms: number;
  /** Whether it has played. */
  readonly hasPlayed: boolean;
  /** Whether it loaded a state, which only the same emulator can load. */
  readonly wentOn: boolean;
}

/**
 * Whether an emulator ended by its own fault. Nobody asks it to end in good order: with code 0 it has given up, as
 * mupen64plus does on instructions that it does not know. With another code emulators also exit when the X server ends,
 * but by then they have played.
 */
export const isCrash = ({ code, signal }: Exit, { hasPlayed }: Pick<EndedRun, 'hasPlayed'>) =>
  signal === null ? code === 0 || (code !== null && !hasPlayed) : CRASHES.has(signal);

/**
 * Selects the emulator for a game among a console's choices: the first one; if it crashes before it has played for long
 * enough, the next one. One that has played for long enough is always restarted.
 */
export class Fallback {
  readonly #choices: number;
  #index: number;
  #isProven = false;
  #crashes = 0;

  /** `choices`: their number; `index`: the current one; if invalid, the first. */
  constructor(choices: number, index = 0) {
    this.#choices = choices;
    this.#index = Math.max(0, index);
  }

  /** The current choice. */
  get index(): number {
    return this.#index;
  }

  /** The emulator has ended: returns which choice to start now; `none`: all have crashed. */
  ended(exit: Exit, run: EndedRun): 'same' | 'next' | 'none' {
    this.#isProven ||= run.ms >= PROVEN_AFTER_MS;
    if (this.#isProven || run.wentOn || !isCrash(exit, run)) return 'same';
    this.#crashes++;
    if (this.#index < this.#choices - 1) {
      this.#index++;
      return 'next';
    }
    return this.#crashes < TRIES_OF_ONE ? 'same' : 'none';
  }
}
