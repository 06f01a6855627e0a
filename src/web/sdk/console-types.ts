/** A seat of a console. */
export interface Seat {
  /** From 1 to 4. */
  readonly player: number;
  /** Who plays; null where the seat is free. */
  readonly userId: string | null;
}

/**
 * The game of a console. All methods need the role `control`, and reject with a CallError where the session does not do
 * it: `not_a_console`, `not_playing` while no game runs, `slot_empty` and others.
 */
export interface GameConsole {
  /**
   * Saves the game's state; resolves when it is kept.
   * @param slot from 0 to 9
   */
  saveState(slot: number): Promise<void>;

  /**
   * Goes on with a saved state.
   * @param slot from 0 to 9
   */
  loadState(slot: number): Promise<void>;

  /** Pauses the game, or lets it go on. */
  pause(on: boolean): Promise<void>;

  /** Plays the game as fast as it can be, or as fast as it is meant. */
  fastForward(on: boolean): Promise<void>;

  /** Presses the console's reset button. */
  reset(): Promise<void>;
}
