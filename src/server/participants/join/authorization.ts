import type { Logger } from 'pino';
import type { Join } from '../../../protocol/generated/schemas.js';
import { type AuthPolicy, grantedAccess, initialAccess } from '../../model/index.js';
import type { WebhookSender } from '../../webhooks/index.js';
import type { Users } from '../access/users.js';
import type { Viewer } from '../viewer/viewer.js';
import { WebhookGuard } from './webhook-check.js';

export interface AuthorizationParts {
  policy: AuthPolicy;
  webhooks: WebhookSender;
  headerPrefix: string;
  users: Users;
  log: Logger;
  isAdminToken(token: string | undefined): boolean;
  /** A viewer may join, with this access. */
  admitted(viewer: Viewer, join: Join): void;
  /** A viewer may not join. */
  denied(viewer: Viewer): void;
}

/** Names in a session's answers that are logged. */
const IGNORED_MAX = 20;

/** Authorizes viewers, by token or by webhook. */
export class Authorization {
  readonly #parts: AuthorizationParts;
  readonly #guard: WebhookGuard | null;
  readonly #ignored = new Set<string>();

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
    const { policy, webhooks, headerPrefix } = parts;
    this.#guard = policy.type === 'webhook' ? new WebhookGuard(policy, webhooks, headerPrefix) : null;
  }

  /** Decides about a viewer that wants to join. Admins are always admitted. */
  async knock(viewer: Viewer, join: Join): Promise<void> {
    const { users, isAdminToken, admitted } = this.#parts;
    const credential = viewer.access.admin ? 'admin' : 'embed';
    if (this.#guard === null || credential === 'admin' || isAdminToken(join.admin_token)) {
      viewer.access = initialAccess(users.defaults, credential);
      return admitted(viewer, join);
    }
    try {
      const verdict = await this.#guard.ask(viewer, join.userdata ?? {});
      if (verdict === null) return;
      if (!verdict.authorized) return this.#deny(viewer, verdict.reason);
      this.#tellIgnored(verdict.ignored);
      viewer.access = grantedAccess(initialAccess(users.defaults, credential), verdict.answer);
    } catch (error) {
      return this.#deny(viewer, String(error));
    }
    admitted(viewer, join);
  }

  /** A viewer has left; a pending question about it is cancelled. */
  forget(viewer: Viewer): void {
    this.#guard?.forget(viewer);
  }

  /** Logs names in answers that are not known, each once. */
  #tellIgnored(names: readonly string[]): void {
    const ignored = names.filter(name => !this.#ignored.has(name)).slice(0, IGNORED_MAX - this.#ignored.size);
    if (ignored.length === 0) return;
    for (const name of ignored) this.#ignored.add(name);
    this.#parts.log.warn({ ignored }, 'webhook answer has unknown names or null, which are ignored');
  }

  #deny(viewer: Viewer, reason: string): void {
    this.#parts.log.info({ user_id: viewer.userId, reason }, 'viewer denied');
    this.#parts.denied(viewer);
    viewer.turnAway();
  }
}
