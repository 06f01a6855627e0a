/** A seat of a console. */
export interface Seat {
  /** From 1 to 4. */
  readonly player: number;
  /** Who plays; null where the seat is free. */
  readonly userId: string | null;
}

/** How the game of a console runs. */
export interface GameState {
  readonly paused: boolean;
  /** It runs at three times its speed, or will when it goes on. */
  readonly fastForward: boolean;
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
   * Goes on with a saved state; resolves when the game is there.
   * @param slot from 0 to 9
   */
  loadState(slot: number): Promise<void>;

  /** Pauses the game, or lets it go on; resolves when it does. */
  pause(on: boolean): Promise<void>;

  /** Plays the game at three times its speed, or as fast as it is meant. */
  fastForward(on: boolean): Promise<void>;

  /** Presses the console's reset button. */
  reset(): Promise<void>;
}
