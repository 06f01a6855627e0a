/** A seat of a console. */
export interface Seat {
  /** From 1 to 4. */
  readonly player: number;
  /** Who plays; null if the seat is free. */
  readonly userId: string | null;
}

/** The state of a console's game. */
export interface GameState {
  /** The game is paused. */
  readonly paused: boolean;
  /** It runs at three times its speed, or will when resumed. */
  readonly fastForward: boolean;
  /** The discs of a game that has several; null if it does not. */
  readonly discs: Discs | null;
}

/** The discs of a game that has several. */
export interface Discs {
  /** Which one is inside, from 1; 0: none. */
  readonly disc: number;
  /** What they are called, in their order. */
  readonly labels: readonly string[];
}

/**
 * The game of a console. All methods need the role `control`, and reject with a CallError if the call fails:
 * `not_a_console`, `not_playing` while no game runs, `slot_empty` and others.
 */
export interface GameConsole {
  /** Saves the game's state; resolves when it is stored. @param slot from 0 to 9 */
  saveState(slot: number): Promise<void>;

  /** Loads a saved state; resolves when the game continues from it. @param slot from 0 to 9 */
  loadState(slot: number): Promise<void>;

  /** Pauses or resumes the game; resolves when that has happened. @param on whether it is paused then */
  pause(on: boolean): Promise<void>;

  /** Plays the game at three times its speed, or at normal speed. @param on whether it is faster then */
  fastForward(on: boolean): Promise<void>;

  /** Presses the console's reset button. */
  reset(): Promise<void>;

  /**
   * Puts another disc in; resolves with the discs once it is inside. The call fails with `one_disc` if the game has no
   * other. @param disc from 1; without it, the discs are only read
   */
  disc(disc?: number): Promise<Discs>;
}
