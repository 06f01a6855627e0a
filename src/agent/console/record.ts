import { hasFields, isFlag, isText, isTexts, type Handover } from '../handover/handover.js';
import type { PreparedRom } from './console-games.js';
import type { Pace } from './pace.js';

/** What the next agent must know about a game, besides its emulator's process. */
export interface StoredGame {
  /** The game's file, ready to be played; its saves are where emulators look for them. */
  readonly path: string;
  /** What its discs are called, where it comes with several files of discs; otherwise empty. */
  readonly discs: readonly string[];
  /** The choice (`choices.ts`) that plays it. */
  readonly choice: string;
  readonly pace: Pace;
  /** Whether the last emulator that was started plays the game, from where it was left. */
  readonly hasBegun: boolean;
  /** Whether that emulator was told to fast-forward. */
  readonly isFast: boolean;
  /** Whether it was told to end for good. */
  readonly isEnding: boolean;
}

const NAME = 'game';
const isPace = (value: unknown) => hasFields(value, { paused: isFlag, fastForward: isFlag });
const isGameLeft = (value: unknown): value is StoredGame =>
  hasFields(value, {
    path: isText,
    discs: isTexts,
    choice: isText,
    pace: isPace,
    hasBegun: isFlag,
    isFast: isFlag,
    isEnding: isFlag,
  });

/** Stores what the next agent must know about a game. */
export class GameRecord {
  readonly #handover: Handover;
  #current: StoredGame | undefined;

  constructor(handover: Handover) {
    this.#handover = handover;
    this.#current = handover.read(NAME, isGameLeft);
  }

  /** The current record; undefined until the game has arrived. */
  get current(): StoredGame | undefined {
    return this.#current;
  }

  /** The game has arrived. */
  begin({ path, discs = [] }: Pick<PreparedRom, 'path' | 'discs'>, choice: string, pace: Pace): void {
    this.#current = { path, discs, choice, pace, hasBegun: false, isFast: false, isEnding: false };
    this.#handover.write(NAME, this.#current);
  }

  /** Records a change; ignored without a game. */
  change(change: Partial<StoredGame>): void {
    if (this.#current === undefined) return;
    this.#current = { ...this.#current, ...change };
    this.#handover.write(NAME, this.#current);
  }
}
