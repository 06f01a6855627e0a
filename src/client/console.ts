import type { GameConsole } from '../protocol/api/console.js';
import type { MethodsOf, OperationName } from '../protocol/calls.js';
import type { MakeCall } from '../protocol/make-call.js';
import type { SessionSeat } from './types.js';

/** The game of a console, and who plays it. Every method rejects with a BerthError if the service returns an error. */
export interface ConsoleClient extends GameConsole {
  /** Gives a player's seat, 1 to 4, to a user, or frees it with null; resolves with all seats. */
  assignSeat(player: number, userId: string | null): Promise<SessionSeat[]>;
}

/** Controls a console through its session's address. */
export const remoteConsole = (call: MakeCall<OperationName>): ConsoleClient =>
  Object.freeze<ConsoleClient & Record<MethodsOf<'console'>, unknown>>({
    saveState: async slot => void (await call('console.saveState', [slot])),
    loadState: async slot => void (await call('console.loadState', [slot])),
    pause: async on => void (await call('console.pause', [on])),
    fastForward: async on => void (await call('console.fastForward', [on])),
    reset: async () => void (await call('console.reset', [])),
    disc: disc => call('console.disc', disc === undefined ? [] : [disc]),
    assignSeat: (player, userId) => call('seats', [player, userId]),
  });
