import type {
  ConsoleDiscs,
  Discs as DiscsMessage,
  GameState as GameMessage,
  Seat as SeatMessage,
  Seats,
} from '../../protocol/generated/schemas.js';
import type { MethodsOf } from '../../protocol/calls.js';
import type { MakeCall } from '../../protocol/make-call.js';
import { MOST_DISCS, STATE_SLOTS } from '../../protocol/console.js';
import { PLAYERS } from '../../protocol/pad.js';
import type { Discs, GameConsole, GameState, Seat } from '../../protocol/api/console.js';

/** The console features of a session: its game, and who plays it. */
export class RemoteConsole {
  readonly game: GameConsole;
  readonly #call: MakeCall;
  #seats: readonly Seat[] = [];
  #state: GameState = Object.freeze({ paused: false, fastForward: false, discs: null });

  constructor(call: MakeCall) {
    this.#call = call;
    this.game = remoteGame(call);
  }

  /** All seats, by player; empty if the session is not a console. */
  get seats(): readonly Seat[] {
    return this.#seats;
  }

  /** The state of the game; the defaults if the session is not a console. */
  get gameState(): GameState {
    return this.#state;
  }

  updateSeats({ seats }: Pick<Seats, 'seats'>): void {
    this.#seats = seatsOf(seats);
  }

  updateGame({ paused, fast_forward: fastForward }: Pick<GameMessage, 'paused' | 'fast_forward'>): void {
    this.#state = Object.freeze({ ...this.#state, paused, fastForward });
  }

  updateDiscs(discs: Pick<DiscsMessage, 'disc' | 'labels'>): void {
    this.#state = Object.freeze({ ...this.#state, discs: discsOf(discs) });
  }

  /** Takes or leaves a seat; resolves with all seats. @throws CallError, TypeError */
  async changeSeats(method: 'takeSeat' | 'leaveSeat', player: number | undefined): Promise<readonly Seat[]> {
    if (player !== undefined) checkWhole('player', player, 1, PLAYERS);
    return seatsOf(await this.#call(method, [player]));
  }
}

/** Creates the game object, whose methods are calls to the session. */
function remoteGame(call: MakeCall): GameConsole {
  const withSlot = (method: 'console.saveState' | 'console.loadState') => async (slot: number) => {
    checkWhole('slot', slot, 0, STATE_SLOTS - 1);
    await call(method, [slot]);
  };
  const withSwitch = (method: 'console.pause' | 'console.fastForward') => async (on: boolean) => {
    if (typeof on !== 'boolean') throw new TypeError('on must be a boolean');
    await call(method, [on]);
  };
  return Object.freeze<GameConsole & Record<MethodsOf<'console'>, unknown>>({
    saveState: withSlot('console.saveState'),
    loadState: withSlot('console.loadState'),
    pause: withSwitch('console.pause'),
    fastForward: withSwitch('console.fastForward'),
    reset: async () => void (await call('console.reset', [])),
    disc: async disc => {
      if (disc !== undefined) checkWhole('disc', disc, 1, MOST_DISCS);
      return discsOf(await call('console.disc', disc === undefined ? [] : [disc]));
    },
  });
}

const seatsOf = (seats: readonly SeatMessage[]): readonly Seat[] =>
  Object.freeze(seats.map(({ player, user_id: userId }) => Object.freeze({ player, userId })));

const discsOf = ({ disc, labels }: ConsoleDiscs): Discs => Object.freeze({ disc, labels: Object.freeze([...labels]) });

/** @throws TypeError if it is not a whole number in the range */
function checkWhole(name: string, value: unknown, least: number, most: number): void {
  const holds = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  if (!holds) throw new TypeError(`${name} must be a whole number from ${least} to ${most}`);
}
