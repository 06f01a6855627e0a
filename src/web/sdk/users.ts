import type { Users } from '../../protocol/generated/schemas.js';
import { safely } from '../lib/safely.js';

/** Somebody in the session. */
export interface SessionPerson {
  /** The user's ID, new at every connection. */
  readonly userId: string;
  /** What the user is called, at most 40 characters; `Guest` and a number if it has no name. */
  readonly name: string;
  /** The colour that the participant webhook gave the user, `#rrggbb`; null if it gave none. */
  readonly color: string | null;
  /** Whether the user presented the session's admin token. */
  readonly admin: boolean;
  /** Whether the user's input reaches the session now. */
  readonly control: boolean;
  /** Whether the user's input is ignored by the permission `control_disabled`. */
  readonly controlDisabled: boolean;
  /** Whether the user has the permission `control_exclusive`. */
  readonly controlExclusive: boolean;
}

/** What a page is told of who is in the session. */
export interface UserCallbacks {
  /** Who is in the session, in the order in which they joined: initially and after each change; needs the role `user_list`. */
  onUsers?: (users: readonly SessionPerson[]) => void;
  /** Somebody has joined, or was there before this viewer; needs the role `user_list`. */
  onUserJoined?: (user: SessionPerson) => void;
  /** Somebody has left; needs the role `user_list`. */
  onUserLeft?: (user: SessionPerson) => void;
  /** Somebody's name, colour or rights have changed; needs the role `user_list`. */
  onUserChanged?: (user: SessionPerson) => void;
}

/** Who is in the session, as the service tells it, and what that changes. */
export class UserList {
  readonly #callbacks: UserCallbacks;
  #users: ReadonlyMap<string, SessionPerson> = new Map();

  constructor(callbacks: UserCallbacks) {
    this.#callbacks = callbacks;
  }

  /** In the order in which they joined; empty where the viewer may not see them. */
  get users(): readonly SessionPerson[] {
    return [...this.#users.values()];
  }

  /** Takes over a list, and tells what differs from the one before. */
  update({ users }: Users): void {
    const before = this.#users;
    this.#users = new Map(users.map(user => [user.user_id, personOf(user)]));
    const { onUsers, onUserJoined, onUserLeft, onUserChanged } = this.#callbacks;
    for (const [id, person] of before) if (!this.#users.has(id)) safely(() => onUserLeft?.(person));
    for (const [id, person] of this.#users) {
      const former = before.get(id);
      if (former === undefined) safely(() => onUserJoined?.(person));
      else if (!isSame(former, person)) safely(() => onUserChanged?.(person));
    }
    safely(() => onUsers?.(this.users));
  }
}

function personOf(user: Users['users'][number]): SessionPerson {
  return {
    userId: user.user_id,
    name: user.name,
    color: user.color ?? null,
    admin: user.admin,
    control: user.controls,
    controlDisabled: user.control_disabled,
    controlExclusive: user.control_exclusive,
  };
}

const isSame = (one: SessionPerson, other: SessionPerson): boolean =>
  one.name === other.name &&
  one.color === other.color &&
  one.admin === other.admin &&
  one.control === other.control &&
  one.controlDisabled === other.controlDisabled &&
  one.controlExclusive === other.controlExclusive;
