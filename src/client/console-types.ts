import type { GameConsole } from '../protocol/api/console.js';
import type { SessionSeat } from './types.js';

/** The game of a console, and who plays it. Every method rejects with a BerthError if the service returns an error. */
export interface ConsoleClient extends GameConsole {
  /** Gives a player's seat, 1 to 4, to a user, or frees it with null; resolves with all seats. */
  assignSeat(player: number, userId: string | null): Promise<SessionSeat[]>;
}
