import { createHash } from 'node:crypto';
import type { PrivacyMode } from '../../../protocol/generated/schemas.js';
import { type Access, equal, type PrivateUser } from '../../model/index.js';
import { tellAll, type Viewer } from '../viewer/viewer.js';
import { PrivateDownloads } from './private-downloads.js';
import type { Users } from './users.js';

/**
 * Privacy mode: one user alone sees, hears and uses the session, until an admin ends that. It stays while its user is
 * away, and over restarts of the service; the user is known by its connection's ticket when it comes back.
 */
export class Privacy {
  readonly #viewers: ReadonlySet<Viewer>;
  readonly #users: Users;
  /** Which downloads are not for all. */
  readonly downloads: PrivateDownloads;
  #user: Required<PrivateUser> | undefined;
  /** The number of the newest time in private, of those that were asked for, too. */
  #newest: number;

  constructor(viewers: ReadonlySet<Viewer>, users: Users) {
    this.#viewers = viewers;
    this.#users = users;
    this.#user = users.defaults.private && { time: 1, ...users.defaults.private };
    this.downloads = new PrivateDownloads(users, () => this.#user?.time ?? null);
    this.#newest = Math.max(this.#user?.time ?? 0, this.downloads.newest);
  }

  get isOn(): boolean {
    return this.#user !== undefined;
  }

  /** Who has the session in private, for everybody. */
  get message(): PrivacyMode {
    return { type: 'privacy', user_id: this.#user?.userId ?? null };
  }

  /**
   * Gives the session to one user alone; stored first.
   * @throws CallError if the user is not connected; what storing failed by, and nothing has changed then
   */
  async enable(userId: string): Promise<void> {
    const user = privateUser(this.#users.find(userId), ++this.#newest);
    await this.#store(user);
    this.#become(user);
  }

  /** Gives the session back to everybody. Rejects with what storing failed by, and nothing has changed then. */
  async disable(): Promise<void> {
    if (!this.isOn) return;
    await this.#store(undefined);
    this.#become(undefined);
  }

  /** A viewer joins, with the ticket of its former connection: hides the session from all but the private user. */
  joins(viewer: Viewer, ticket: string | undefined): void {
    const user = this.#user;
    if (user === undefined) return;
    if (ticket === undefined || !equal(hashOf(ticket), user.ticketHash)) {
      viewer.access = { ...viewer.access, hidden: true };
      return;
    }
    const next = privateUser(viewer, user.time);
    this.#user = next;
    tellAll(this.#viewers, this.message);
    // If that fails, an admin must give the session to the user again after the service's next start.
    this.#store(next).catch(() => undefined);
  }

  #become(user: Required<PrivateUser> | undefined): void {
    this.#user = user;
    const former = new Map<Viewer, Access>();
    for (const viewer of this.#viewers) {
      const hidden = user !== undefined && viewer.userId !== user.userId;
      if (hidden === viewer.access.hidden) continue;
      former.set(viewer, viewer.access);
      viewer.access = { ...viewer.access, hidden };
    }
    tellAll(this.#viewers, this.message);
    this.#users.changed(former);
  }

  #store(user: PrivateUser | undefined): Promise<void> {
    return this.#users.changeDefaults(({ private: _, ...before }) =>
      user === undefined ? before : { ...before, private: user, downloads: this.downloads.all },
    );
  }
}

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex');

const privateUser = ({ userId, ticket }: Viewer, time: number): Required<PrivateUser> => ({
  userId,
  ticketHash: hashOf(ticket),
  time,
});
