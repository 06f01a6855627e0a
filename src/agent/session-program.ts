import type { ProfileOwner } from './profile/transfer.js';

/** What a session is for: a browser, or a game. */
export interface SessionProgram extends ProfileOwner {
  start(): void;
  /** The X server died, and the program with it. */
  displayLost(): void;
  /** Ends it, so that it can save what it must. */
  stop(): Promise<void>;
}
