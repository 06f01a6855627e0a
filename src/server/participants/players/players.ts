import { encodePad, type PadEvent, PLAYERS } from '../../../protocol/pad.js';
import type { GameState, Seats } from '../../../protocol/generated/schemas.js';
import { CallError, mayControl } from '../../model/index.js';
import type { Viewer } from '../viewer/viewer.js';

export interface PlayersHandlers {
  /** Sends the agent a viewer's message. */
  send(user: number, message: Uint8Array): void;
  /** Who plays has changed, or how the game runs. */
  changed(message: Seats | GameState): void;
}

/** Who controls the session. */
export interface Control {
  controls(viewer: Viewer): boolean;
  /** Notes that a viewer does something, by which it may take control from others; whether it controls now. */
  takesPart(viewer: Viewer): boolean;
}

/**
 * Who plays which pad of a console, what reaches the console of it (of those who control, what they do with theirs),
 * and how its game runs.
 */
export class Players {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #control: Control;
  readonly #handlers: PlayersHandlers;
  readonly #held = new HeldPads();
  #plan: SeatPlan = NO_SEATS;
  #game: GameState | undefined;

  constructor(viewers: ReadonlySet<Viewer>, control: Control, handlers: PlayersHandlers) {
    this.#viewers = viewers;
    this.#control = control;
    this.#handlers = handlers;
  }

  get seats(): Seats {
    return { type: 'seats', seats: this.#plan.map((userId, index) => ({ player: index + 1, user_id: userId })) };
  }

  /** A viewer has joined, and was these players when it was here before; it is told who plays, and how the game runs. */
  joined(viewer: Viewer, former: readonly number[] | undefined): void {
    const before = this.#plan;
    if (this.#game !== undefined) viewer.tell(this.#game);
    if (mayControl(viewer.access)) this.#set(afterJoin(before, viewer.userId, former));
    // Everybody is told of a change.
    if (before === this.#plan) viewer.tell(this.seats);
  }

  /** A viewer has left, or may play no more. */
  left(viewer: Viewer): void {
    this.#set(afterLeave(this.#plan, viewer.userId));
  }

  /** Passes on a change of a pad that the viewer has. */
  pad(viewer: Viewer, event: PadEvent, bytes: Uint8Array): void {
    if (this.#plan[event.player] !== viewer.userId || !this.#control.takesPart(viewer)) return;
    this.#held.note(event);
    this.#handlers.send(viewer.number, bytes);
  }

  /** A viewer does not control any more: what it holds is let go of. Its seats stay its own until somebody takes them. */
  letGo(viewer: Viewer): void {
    this.#plan.forEach((userId, player) => {
      if (userId === viewer.userId) this.#release(player);
    });
  }

  /** @throws CallError where the viewer does not control now */
  require(viewer: Viewer): void {
    if (!this.#control.takesPart(viewer))
      throw new CallError('control_taken', 'Somebody else controls the session now.');
  }

  /** Gives a viewer a seat: this player's, or any that is free or whose holder does not control now. @throws CallError */
  take(viewer: Viewer, player: number | undefined): Seats {
    this.require(viewer);
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

  /** Frees a seat of a viewer: this player's, or all of them. */
  leave(viewer: Viewer, player: number | undefined): Seats {
    if (player === undefined) this.left(viewer);
    else if (this.#plan[player - 1] === viewer.userId) this.#set(withSeat(this.#plan, player - 1, null));
    return this.seats;
  }

  /** Gives a seat to a user, whoever has it, or frees it. @throws CallError where the user is not connected or may not play */
  assign(player: number, userId: string | null): Seats {
    const viewer = userId === null ? undefined : [...this.#viewers].find(each => each.userId === userId);
    if (userId !== null && viewer === undefined)
      throw new CallError('user_not_found', `There is no user ${userId} in this session.`);
    if (viewer !== undefined && !mayControl(viewer.access))
      throw new CallError('role_required', 'Playing needs the role control.');
    this.#set(withSeat(this.#plan, player - 1, userId));
    return this.seats;
  }

  /** The agent says how the game runs: at first, with every change, and again on a new link. */
  runs(game: GameState): void {
    const before = this.#game;
    this.#game = game;
    if (before?.paused !== game.paused || before.fast_forward !== game.fast_forward) this.#handlers.changed(game);
  }

  /** The link was lost, upon which the agent lets go of everything. */
  reset(): void {
    this.#held.clear();
  }

  /** Whether a seat is that of somebody who controls now. */
  #isHeld(userId: string | null): boolean {
    return [...this.#viewers].some(viewer => viewer.userId === userId && this.#control.controls(viewer));
  }

  #set(plan: SeatPlan): void {
    if (plan === this.#plan) return;
    const before = this.#plan;
    this.#plan = plan;
    for (let player = 0; player < PLAYERS; player++) {
      if (before[player] !== plan[player]) this.#release(player);
    }
    this.#handlers.changed(this.seats);
  }

  #release(player: number): void {
    for (const message of this.#held.letGo(player)) this.#handlers.send(0, message);
  }
}

/** Who plays which pad: the user's ID, or null where the seat is free. Index 0 is player 1. */
type SeatPlan = readonly (string | null)[];

const NO_SEATS: SeatPlan = Array.from({ length: PLAYERS }, () => null);

/**
 * The plan after a user has joined. Who comes for the first time and finds nobody playing is player 1; who comes back
 * is who it was, `former`, where nobody else is that by now.
 */
function afterJoin(plan: SeatPlan, userId: string, former?: readonly number[]): SeatPlan {
  if (former !== undefined)
    return former
      .filter(player => plan[player - 1] === null)
      .reduce((next, player) => withSeat(next, player - 1, userId), plan);
  return plan.every(seat => seat === null) ? withSeat(plan, 0, userId) : plan;
}

/** The plan after a user has left, or may play no more. */
function afterLeave(plan: SeatPlan, userId: string): SeatPlan {
  return plan.includes(userId) ? plan.map(seat => (seat === userId ? null : seat)) : plan;
}

/** The plan with a seat given to a user, or freed. */
function withSeat(plan: SeatPlan, index: number, userId: string | null): SeatPlan {
  return plan[index] === userId ? plan : plan.map((seat, i) => (i === index ? userId : seat));
}

/** The seat that a user gets who does not mind which; null where all are taken. */
function freeSeat(plan: SeatPlan): number | null {
  const index = plan.indexOf(null);
  return index === -1 ? null : index;
}

const nameOf = ({ control, id }: PadEvent) => `${control}${id}`;

/** What is held on each pad, so that the service can let go of it when its player leaves. */
class HeldPads {
  readonly #held = new Map<number, Map<string, PadEvent>>();

  /** Notes a change. */
  note(event: PadEvent): void {
    const pad = this.#held.get(event.player) ?? new Map<string, PadEvent>();
    this.#held.set(event.player, pad);
    const isAtRest = event.control === 'button' ? !event.down : event.value === 0;
    if (isAtRest) pad.delete(nameOf(event));
    else pad.set(nameOf(event), event);
  }

  /** Takes everything out of a player's hands: the messages that tell the agent so. */
  letGo(player: number): Uint8Array[] {
    const pad = [...(this.#held.get(player)?.values() ?? [])];
    this.#held.delete(player);
    return pad.map(event => encodePad(event.control === 'button' ? { ...event, down: false } : { ...event, value: 0 }));
  }

  /** Forgets everything: the agent let go of it. */
  clear(): void {
    this.#held.clear();
  }
}
