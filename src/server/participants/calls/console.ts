import type {
  ConsoleResetArguments,
  ConsoleSlotArguments,
  ConsoleSwitchArguments,
  OwnSeatArguments,
  SeatsArguments,
} from '../../../protocol/generated/schemas.js';
import { CallError, mayControl } from '../../model/index.js';
import type { Players } from '../players/players.js';
import type { Viewer } from '../viewer/viewer.js';
import { sessionCall, type CallContext, type Need, type SessionCall } from './call.js';

const player: Need = { test: mayControl, code: 'role_required', message: 'Playing needs the role control.' };
const admin: Need = {
  test: access => access.admin,
  code: 'admin_required',
  message: 'This is for holders of the admin token.',
};

/** @throws CallError if the session is not a console */
function playOf({ play }: CallContext): Players {
  if (play === null) throw new CallError('not_a_console', 'This session is not a console.');
  return play;
}

/** @throws CallError if the caller is not a viewer, who could take a seat */
function viewerOf({ viewer }: CallContext): Viewer {
  if (viewer === undefined)
    throw new CallError('unknown_method', 'Seats are taken by viewers; assign them with seats.');
  return viewer;
}

function emulatorCall<T extends unknown[]>(method: string, schema: string): [method: string, call: SessionCall] {
  const run = async (context: CallContext, args: T) => {
    const play = playOf(context);
    if (context.viewer !== undefined) play.require(context.viewer);
    await context.agent(method, args);
    return {};
  };
  return [method, sessionCall<T>({ schema: `session-calls.json#/$defs/${schema}`, needs: player, run })];
}

/** Calls of players and integrators to a console. */
export const consoleCalls: [method: string, call: SessionCall][] = [
  emulatorCall<ConsoleSlotArguments>('console.saveState', 'console_slot'),
  emulatorCall<ConsoleSlotArguments>('console.loadState', 'console_slot'),
  emulatorCall<ConsoleSwitchArguments>('console.pause', 'console_switch'),
  emulatorCall<ConsoleSwitchArguments>('console.fastForward', 'console_switch'),
  emulatorCall<ConsoleResetArguments>('console.reset', 'console_reset'),
  [
    'seats',
    sessionCall<SeatsArguments>({
      schema: 'session-calls.json#/$defs/seats',
      needs: admin,
      run: (context, [number, userId]) => playOf(context).assign(number, userId).seats,
    }),
  ],
  [
    'takeSeat',
    sessionCall<OwnSeatArguments>({
      schema: 'session-calls.json#/$defs/own_seat',
      needs: player,
      run: (context, [number]) => playOf(context).take(viewerOf(context), number).seats,
    }),
  ],
  [
    'leaveSeat',
    sessionCall<OwnSeatArguments>({
      schema: 'session-calls.json#/$defs/own_seat',
      needs: player,
      run: (context, [number]) => playOf(context).leave(viewerOf(context), number).seats,
    }),
  ],
];
