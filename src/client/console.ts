import type { MethodsOf, OperationName } from '../protocol/calls.js';
import type { MakeCall } from '../protocol/make-call.js';
import type { ConsoleClient } from './console-types.js';

/** Controls a console through its session's address. */
export const remoteConsole = (call: MakeCall<OperationName>): ConsoleClient =>
  Object.freeze<ConsoleClient & Record<MethodsOf<'console'>, unknown>>({
    saveState: async slot => void (await call('console.saveState', [slot])),
    loadState: async slot => void (await call('console.loadState', [slot])),
    pause: async on => void (await call('console.pause', [on])),
    fastForward: async on => void (await call('console.fastForward', [on])),
    reset: async () => void (await call('console.reset', [])),
    assignSeat: (player, userId) => call('seats', [player, userId]),
  });
