import { hasFields, isFlag, isText, type Handover } from '../handover/handover.js';
import type { Pace } from './pace.js';

/** What another agent must know of a game besides its emulator's process. */
export interface StoredGame {
  /** The game's file, ready to be played; its saves are where emulators look for them. */
  readonly path: string;
  /** The choice (`choices.ts`) that plays it. */
  readonly choice: string;
  readonly pace: Pace;
  /** Whether the emulator that was started last has come as far as to play, from where the game was left. */
  readonly hasBegun: boolean;
  /** Whether that emulator was told to play faster. */
  readonly isFast: boolean;
  /** It was told to end for good. */
  readonly isEnding: boolean;
}

const NAME = 'game';
const isPace = (value: unknown) => hasFields(value, { paused: isFlag, fastForward: isFlag });
const isGameLeft = (value: unknown): value is StoredGame =>
  hasFields(value, { path: isText, choice: isText, pace: isPace, hasBegun: isFlag, isFast: isFlag, isEnding: isFlag });

/** Keeps what another agent would have to know of a game. */
export class GameRecord {
  readonly #handover: Handover;
  #current: StoredGame | undefined;

  constructor(handover: Handover) {
    this.#handover = handover;
    this.#current = handover.read(NAME, isGameLeft);
  }

  /** What is known; undefined as long as the game has not come. */
  get current(): StoredGame | undefined {
    return this.#current;
  }

  /** The game has come. */
  begin(path: string, choice: string, pace: Pace): void {
    this.#current = { path, choice, pace, hasBegun: false, isFast: false, isEnding: false };
    this.#handover.write(NAME, this.#current);
  }

  /** Notes a change; nothing without a game. */
  change(change: Partial<StoredGame>): void {
    if (this.#current === undefined) return;
    this.#current = { ...this.#current, ...change };
    this.#handover.write(NAME, this.#current);
  }
}
