import type { Permissions, Role, SessionUser } from '../../../protocol/generated/schemas.js';
import { CloseCode } from '../../../protocol/message-type.js';
import { type Access, CallError } from '../../model/index.js';
import type { LinkTarget } from '../types.js';
import type { Viewer } from '../viewer/viewer.js';

export interface UsersHandlers {
  /** What a viewer may do has changed. */
  changed(viewer: Viewer, before: Access): void;
  /** What later viewers get has changed; resolves when that is kept. */
  defaults(defaults: LinkTarget['defaults']): Promise<void>;
}

/** Who takes part in a session, and what each may do. */
export class Users {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #handlers: UsersHandlers;
  #defaults: LinkTarget['defaults'];
  #kept: Promise<void> = Promise.resolve();

  constructor(viewers: ReadonlySet<Viewer>, defaults: LinkTarget['defaults'], handlers: UsersHandlers) {
    this.#viewers = viewers;
    this.#defaults = defaults;
    this.#handlers = handlers;
  }

  /** What a viewer gets that joins now. */
  get defaults(): LinkTarget['defaults'] {
    return this.#defaults;
  }

  list(): SessionUser[] {
    return [...this.#viewers].map(viewer => ({
      user_id: viewer.userId,
      connected_at: new Date(viewer.connectedAt).toISOString(),
      admin: viewer.access.admin,
      roles: [...viewer.access.roles],
      permissions: viewer.access.permissions,
      ip: viewer.about.ip,
      user_agent: viewer.about.user_agent,
    }));
  }

  /**
   * Gives roles to users, or takes them away: to those named, or to all others, later ones included. All or nothing;
   * what later ones get is kept when it resolves.
   * @throws CallError where one of them is not connected
   */
  async changeRoles(
    change: 'add' | 'remove',
    userIds: readonly string[],
    roles: readonly Role[],
    exclusive: boolean,
  ): Promise<void> {
    const named = new Set(userIds.map(userId => this.#find(userId)));
    const changed = (before: readonly Role[]) => changedRoles(change, before, roles);
    for (const viewer of this.#viewers) {
      if (named.has(viewer) !== exclusive)
        this.setAccess(viewer, { ...viewer.access, roles: changed(viewer.access.roles) });
    }
    if (!exclusive) return;
    // Else a reload of the page would be enough to have a role back.
    this.#defaults = { ...this.#defaults, roles: changed(this.#defaults.roles) };
    // One after the other, so that the last one stays.
    const kept = this.#kept.then(() => this.#handlers.defaults(this.#defaults));
    this.#kept = kept.catch(() => undefined);
    await kept;
  }

  /** Changes the permissions given, and returns all. @throws CallError where the user is not connected */
  setPermissions(userId: string, permissions: Permissions): Required<Permissions> {
    const viewer = this.#find(userId);
    this.setAccess(viewer, { ...viewer.access, permissions: { ...viewer.access.permissions, ...permissions } });
    return viewer.access.permissions;
  }

  /** Gives a viewer another access. */
  setAccess(viewer: Viewer, access: Access): void {
    const before = viewer.access;
    viewer.access = access;
    this.#handlers.changed(viewer, before);
  }

  /** Disconnects a user; it may come back. @throws CallError where it is not connected */
  kick(userId: string): void {
    const viewer = this.#find(userId);
    viewer.tell({ type: 'end', reason: 'kicked' });
    void viewer.close(CloseCode.kicked, 'kicked');
  }

  #find(userId: string): Viewer {
    for (const viewer of this.#viewers) if (viewer.userId === userId) return viewer;
    throw new CallError('user_not_found', `There is no user ${userId} in this session.`);
  }
}

function changedRoles(change: 'add' | 'remove', before: readonly Role[], roles: readonly Role[]): Role[] {
  return change === 'add' ? [...new Set([...before, ...roles])] : before.filter(role => !roles.includes(role));
}
