import type { ProfileOwner } from './profile/transfer.js';

/** The program that a session runs: a browser, or a game. */
export interface SessionProgram extends ProfileOwner {
  start(): void;
  /** The X server died, and the program with it. */
  displayLost(): void;
  /** Ends it gracefully, so that it can save its state. */
  stop(): Promise<void>;
}
