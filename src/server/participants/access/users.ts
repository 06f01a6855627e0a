import type { Permissions, Role, SessionUser } from '../../../protocol/generated/schemas.js';
import { CloseCode } from '../../../protocol/message-type.js';
import { SerialQueue } from '../../../lib/serial-queue.js';
import { type Access, type AccessDefaults, CallError } from '../../model/index.js';
import type { RoomSession } from '../room-session.js';
import type { Viewer } from '../viewer/viewer.js';

/** Tracks the users of a session and their access. */
export class Users {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #of: RoomSession;
  /** To be called after the access of viewers has changed, with what it was before. */
  readonly changed: (former: ReadonlyMap<Viewer, Access>) => void;
  readonly #changes = new SerialQueue();

  constructor(viewers: ReadonlySet<Viewer>, of: RoomSession, changed: (former: ReadonlyMap<Viewer, Access>) => void) {
    this.#viewers = viewers;
    this.#of = of;
    this.changed = changed;
  }

  /** The access of a viewer that joins now. */
  get defaults(): AccessDefaults {
    return this.#of.session.defaults;
  }

  /** `nameOf`: what a viewer is called. */
  list(nameOf: (viewer: Viewer) => string): SessionUser[] {
    return [...this.#viewers].map(viewer => ({
      user_id: viewer.userId,
      name: nameOf(viewer),
      ...(viewer.person.color === undefined ? {} : { color: viewer.person.color }),
      connected_at: new Date(viewer.connectedAt).toISOString(),
      admin: viewer.access.admin,
      roles: [...viewer.access.roles],
      permissions: viewer.access.permissions,
      ip: viewer.about.ip,
      user_agent: viewer.about.user_agent,
    }));
  }

  /**
   * Grants or revokes roles: for the named users, or for all others, including later ones, whose access is stored first.
   * Whoever is granted control has it, even if it was disabled. All or nothing.
   * @throws CallError if one of them is not connected; what storing failed by, and nobody's access has changed then
   */
  async changeRoles(
    change: 'add' | 'remove',
    userIds: readonly string[],
    roles: readonly Role[],
    exclusive: boolean,
  ): Promise<void> {
    const named = new Set(userIds.map(userId => this.find(userId)));
    const changed = (before: readonly Role[]) => changedRoles(change, before, roles);
    const enabled = change === 'add' && roles.includes('control') ? { control_disabled: false } : {};
    // Otherwise a revoked role could be regained by reloading the page.
    if (exclusive) await this.changeDefaults(before => ({ ...before, roles: changed(before.roles), ...enabled }));
    const former = new Map<Viewer, Access>();
    for (const viewer of this.#viewers) {
      if (named.has(viewer) === exclusive) continue;
      const { access } = viewer;
      former.set(viewer, access);
      viewer.access = { ...access, roles: changed(access.roles), permissions: { ...access.permissions, ...enabled } };
    }
    this.changed(former);
  }

  /** Changes the given permissions, and returns all. @throws CallError if the user is not connected */
  setPermissions(userId: string, permissions: Permissions): Required<Permissions> {
    const viewer = this.find(userId);
    this.setAccess(viewer, { ...viewer.access, permissions: { ...viewer.access.permissions, ...permissions } });
    return viewer.access.permissions;
  }

  /** Changes a viewer's access. */
  setAccess(viewer: Viewer, access: Access): void {
    const before = viewer.access;
    viewer.access = access;
    this.changed(new Map([[viewer, before]]));
  }

  /** Disconnects a user, who may reconnect. @throws CallError if the user is not connected */
  kick(userId: string): void {
    const viewer = this.find(userId);
    viewer.tell({ type: 'end', reason: 'kicked' });
    void viewer.close(CloseCode.kicked, 'kicked');
  }

  /** Changes the access of later viewers, one change after the other. */
  changeDefaults(change: (before: AccessDefaults) => AccessDefaults): Promise<void> {
    return this.#changes.run(() => this.#of.changeDefaults(change(this.defaults)));
  }

  /** @throws CallError if the user is not connected */
  find(userId: string): Viewer {
    for (const viewer of this.#viewers) if (viewer.userId === userId) return viewer;
    throw new CallError('user_not_found', `There is no user ${userId} in this session.`);
  }
}

function changedRoles(change: 'add' | 'remove', before: readonly Role[], roles: readonly Role[]): Role[] {
  return change === 'add' ? [...new Set([...before, ...roles])] : before.filter(role => !roles.includes(role));
}
