import type { Users as UsersMessage } from '../../protocol/generated/schemas.js';
import { maySeeUsers } from '../model/index.js';
import type { Arrival } from './room-session.js';
import { costOf, Pace } from './viewer/pace.js';
import { tellAll, type Viewer } from './viewer/viewer.js';

/** Minimum interval between two lists, of which the newest is enough, ms. */
const INTERVAL_MS = 50;

/** Shows viewers who is here, if they may see it. Many who come at once are one list. */
export class People {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #controls: (viewer: Viewer) => boolean;
  readonly #guests = new Map<Viewer, number>();
  readonly #taken = new Set<number>();
  readonly #pace = new Pace(INTERVAL_MS, () => this.#tell());
  #soon: NodeJS.Immediate | undefined;

  /** `viewers` are in the order in which they joined; `controls`: whether one has control now. */
  constructor(viewers: ReadonlySet<Viewer>, controls: (viewer: Viewer) => boolean) {
    this.#viewers = viewers;
    this.#controls = controls;
  }

  /** A viewer has joined: it gets the number of its `former` connection, or the lowest one that is free. */
  joined(viewer: Viewer, former?: Viewer): void {
    const known = former === undefined ? undefined : this.#guests.get(former);
    if (former !== undefined) this.#guests.delete(former);
    const number = known ?? this.#free();
    this.#guests.set(viewer, number);
    this.#taken.add(number);
    this.changed();
  }

  left(viewer: Viewer): void {
    const number = this.#guests.get(viewer);
    this.#guests.delete(viewer);
    if (number !== undefined) this.#taken.delete(number);
    this.changed();
  }

  /** Who is here, or what somebody may do, has changed. */
  changed(): void {
    // What one event changes is complete by then.
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      this.#pace.due();
    });
  }

  /** What a viewer is called. */
  nameOf(viewer: Viewer): string {
    return viewer.person.name ?? `Guest ${this.#guests.get(viewer) ?? 0}`;
  }

  /** What is reported of a viewer who has joined. */
  arrival(viewer: Viewer): Arrival {
    const { userId, access, person } = viewer;
    const color = person.color === undefined ? {} : { color: person.color };
    return { id: userId, admin: access.admin, name: this.nameOf(viewer), ...color };
  }

  stop(): void {
    clearImmediate(this.#soon);
    this.#pace.stop();
  }

  #free(): number {
    let number = 1;
    while (this.#taken.has(number)) number++;
    return number;
  }

  /** Returns what it cost. */
  #tell(): number {
    const holders = [...this.#viewers].filter(({ access }) => maySeeUsers(access));
    if (holders.length === 0) return 0;
    return costOf(holders.length, tellAll(holders, this.#list()));
  }

  #list(): UsersMessage {
    const users = [...this.#viewers].map(viewer => {
      const { admin, permissions } = viewer.access;
      return {
        user_id: viewer.userId,
        name: this.nameOf(viewer),
        ...(viewer.person.color === undefined ? {} : { color: viewer.person.color }),
        admin,
        controls: this.#controls(viewer),
        control_disabled: permissions.control_disabled,
        control_exclusive: permissions.control_exclusive,
      };
    });
    return { type: 'users', users };
  }
}
