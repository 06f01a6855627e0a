import type { Exit } from '../process/program.js';

/** An emulator that played so long without a crash is no reason to take another one, ms. */
export const PROVEN_AFTER_MS = 20_000;

/** Tries of the only choice: a crash may have been a chance one. */
const TRIES_OF_ONE = 2;

/** How a program ends that is broken; others end it with other signals. */
const CRASHES: ReadonlySet<string> = new Set([
  ...['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP', 'SIGSYS'],
]);

/** What is known of a process that has ended. */
export interface EndedRun {
  /** How long it ran, ms. */
  readonly ms: number;
  /** It came as far as to play. */
  readonly hasPlayed: boolean;
  /** Its game went on from a state, which only the same emulator can load. */
  readonly wentOn: boolean;
}

/** Whether an emulator ended by a fault of its own. Without the X server emulators exit, too, but they have played. */
export const isCrash = ({ code, signal }: Exit, { hasPlayed }: Pick<EndedRun, 'hasPlayed'>) =>
  signal === null ? code !== null && code !== 0 && !hasPlayed : CRASHES.has(signal);

/**
 * Which of a console's choices plays a game: the first one, until it crashes before it has proven itself, then the next.
 * One that has proven itself is started again whatever becomes of it.
 */
export class Fallback {
  readonly #choices: number;
  #index: number;
  #isProven = false;
  #crashes = 0;

  /** `choices`: how many there are; `index`: the one that is played, the first where it is none. */
  constructor(choices: number, index = 0) {
    this.#choices = choices;
    this.#index = Math.max(0, index);
  }

  /** The choice that is played. */
  get index(): number {
    return this.#index;
  }

  /** The emulator has ended: tells which choice is to be started now; `none`: all have crashed. */
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
