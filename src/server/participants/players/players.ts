import { encodePad, type PadEvent, PLAYERS } from '../../../protocol/pad.js';
import { isDeepStrictEqual } from 'node:util';
import type { Discs, GameState, Seats } from '../../../protocol/generated/schemas.js';
import { CallError, mayControl } from '../../model/index.js';
import type { SessionInput } from '../input/input.js';
import type { Viewer } from '../viewer/viewer.js';

export interface PlayersHandlers {
  /** Sends the agent a viewer's message. */
  send(user: number, message: Uint8Array): void;
  /** The players, or the state of the game or its discs, have changed; returns whether everybody was told at once. */
  changed(message: Seats | GameState | Discs): boolean;
}

/**
 * The seats of a console, the pad input that reaches it (only from players who have control), and the state of its
 * game.
 */
export class Players {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #input: SessionInput;
  readonly #handlers: PlayersHandlers;
  readonly #held = new HeldPads();
  #plan: SeatPlan = NO_SEATS;
  #game: GameState | undefined;
  /** Undefined: the game does not have several, as far as the agent has said. */
  #discs: Discs | undefined;

  constructor(viewers: ReadonlySet<Viewer>, input: SessionInput, handlers: PlayersHandlers) {
    this.#viewers = viewers;
    this.#input = input;
    this.#handlers = handlers;
  }

  get seats(): Seats {
    return { type: 'seats', seats: this.#plan.map((userId, index) => ({ player: index + 1, user_id: userId })) };
  }

  /**
   * A viewer has joined, and had these seats when it was here before; it is told who plays, and the state of the game and
   * its discs.
   */
  joined(viewer: Viewer, former: readonly number[] | undefined): void {
    if (this.#game !== undefined) viewer.tell(this.#game);
    if (this.#discs !== undefined) viewer.tell(this.#discs);
    const isTold = mayControl(viewer.access) && this.#set(afterJoin(this.#plan, viewer.userId, former));
    if (!isTold) viewer.tell(this.seats);
  }

  /** A viewer has left, or may no longer play. */
  left(viewer: Viewer): void {
    this.#set(afterLeave(this.#plan, viewer.userId));
  }

  /** Forwards input to a pad that belongs to the viewer. */
  pad(viewer: Viewer, event: PadEvent, bytes: Uint8Array): void {
    if (this.#plan[event.player] !== viewer.userId || !this.#input.takesPart(viewer)) return;
    this.#held.note(event);
    this.#handlers.send(viewer.number, bytes);
  }

  /** A viewer has lost control: everything it holds is released. It keeps its seats until somebody takes them. */
  letGo(viewer: Viewer): void {
    this.#plan.forEach((userId, player) => {
      if (userId === viewer.userId) this.#release(player);
    });
  }

  /**
   * Gives a viewer who has control a seat: that of this player, or any that is free or whose holder does not have
   * control now.
   * @throws CallError
   */
  take(viewer: Viewer, player: number | undefined): Seats {
    const open = this.#plan.map(userId => (userId === viewer.userId || this.#isHeld(userId) ? userId : null));
    const index = player === undefined ? (freeSeat(this.#plan) ?? freeSeat(open)) : player - 1;
    const holder = index === null ? undefined : open[index];
    if (index === null || (holder !== null && holder !== viewer.userId)) {
      throw new CallError(
        'seat_taken',
        player === undefined ? 'All seats are taken.' : `Player ${player} is taken by somebody else.`,
      );
    }
    this.#set(withSeat(this.#plan, index, viewer.userId));
    return this.seats;
  }

  /** Frees a viewer's seat: that of this player, or all of them. */
  leave(viewer: Viewer, player: number | undefined): Seats {
    if (player === undefined) this.left(viewer);
    else if (this.#plan[player - 1] === viewer.userId) this.#set(withSeat(this.#plan, player - 1, null));
    return this.seats;
  }

  /**
   * Gives a seat to a user, whoever has it, or frees it.
   * @throws CallError if the user is not connected or may not play
   */
  assign(player: number, userId: string | null): Seats {
    const viewer = userId === null ? undefined : [...this.#viewers].find(each => each.userId === userId);
    if (userId !== null && viewer === undefined)
      throw new CallError('user_not_found', `There is no user ${userId} in this session.`);
    if (viewer !== undefined && !mayControl(viewer.access))
      throw new CallError('role_required', 'Playing needs the role control.');
    this.#set(withSeat(this.#plan, player - 1, userId));
    return this.seats;
  }

  /** The agent reports the state of the game: initially, on every change, and again on a new link. */
  runs(game: GameState): void {
    const before = this.#game;
    this.#game = game;
    if (before?.paused !== game.paused || before.fast_forward !== game.fast_forward) this.#handlers.changed(game);
  }

  /** The agent reports the discs of the game: initially, on every change, and again on a new link. */
  discsAre(discs: Discs): void {
    const before = this.#discs;
    this.#discs = discs;
    if (!isDeepStrictEqual(before, discs)) this.#handlers.changed(discs);
  }

  /** The link was lost, whereupon the agent releases everything. */
  reset(): void {
    this.#held.clear();
  }

  /** Whether a seat's holder has control now. */
  #isHeld(userId: string | null): boolean {
    return [...this.#viewers].some(viewer => viewer.userId === userId && this.#input.controls(viewer));
  }

  /** Returns whether there was a change that everybody was told at once. */
  #set(plan: SeatPlan): boolean {
    if (plan === this.#plan) return false;
    const before = this.#plan;
    this.#plan = plan;
    for (let player = 0; player < PLAYERS; player++) {
      if (before[player] !== plan[player]) this.#release(player);
    }
    return this.#handlers.changed(this.seats);
  }

  #release(player: number): void {
    for (const message of this.#held.letGo(player)) this.#handlers.send(0, message);
  }
}

/** The seat plan: the user's ID for each pad, or null for a free one. Index 0 is player 1. */
type SeatPlan = readonly (string | null)[];

const NO_SEATS: SeatPlan = Array.from({ length: PLAYERS }, () => null);

/**
 * The plan after a user has joined. The first user becomes player 1 if nobody plays; a returning user gets its `former`
 * seats back unless somebody else has them now.
 */
function afterJoin(plan: SeatPlan, userId: string, former?: readonly number[]): SeatPlan {
  if (former !== undefined)
    return former
      .filter(player => plan[player - 1] === null)
      .reduce((next, player) => withSeat(next, player - 1, userId), plan);
  return plan.every(seat => seat === null) ? withSeat(plan, 0, userId) : plan;
}

/** The plan after a user has left, or may no longer play. */
function afterLeave(plan: SeatPlan, userId: string): SeatPlan {
  return plan.includes(userId) ? plan.map(seat => (seat === userId ? null : seat)) : plan;
}

/** The plan with a seat given to a user, or freed. */
function withSeat(plan: SeatPlan, index: number, userId: string | null): SeatPlan {
  return plan[index] === userId ? plan : plan.map((seat, i) => (i === index ? userId : seat));
}

/** The seat for a user who does not choose one; null if all are taken. */
function freeSeat(plan: SeatPlan): number | null {
  const index = plan.indexOf(null);
  return index === -1 ? null : index;
}

const nameOf = ({ control, id }: PadEvent) => `${control}${id}`;

/** Tracks what is held on each pad, so that the service can release it when its player leaves. */
class HeldPads {
  readonly #held = new Map<number, Map<string, PadEvent>>();

  /** Records a change. */
  note(event: PadEvent): void {
    const pad = this.#held.get(event.player) ?? new Map<string, PadEvent>();
    this.#held.set(event.player, pad);
    const isAtRest = event.control === 'button' ? !event.down : event.value === 0;
    if (isAtRest) pad.delete(nameOf(event));
    else pad.set(nameOf(event), event);
  }

  /** Forgets what a player holds and returns the messages that release it. */
  letGo(player: number): Uint8Array[] {
    const pad = [...(this.#held.get(player)?.values() ?? [])];
    this.#held.delete(player);
    return pad.map(event => encodePad(event.control === 'button' ? { ...event, down: false } : { ...event, value: 0 }));
  }

  /** Forgets everything: the agent has released it. */
  clear(): void {
    this.#held.clear();
  }
}
