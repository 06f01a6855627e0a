import type { Logger } from 'pino';
import type { Join } from '../../../protocol/generated/schemas.js';
import { type AuditAction } from '../../audit/index.js';
import {
  grantedAccess,
  initialAccess,
  isInForce,
  type Person,
  type Session,
  shownName,
  type TokenClaim,
} from '../../model/index.js';
import type { WebhookSender } from '../../webhooks/index.js';
import type { Users } from '../access/users.js';
import type { MessageHandlers } from '../viewer/messages.js';
import type { Viewer } from '../viewer/viewer.js';
import { personOf } from './webhook-answer.js';
import { WebhookGuard } from './webhook-check.js';

export interface AdmissionOptions {
  /** The session as it is now. */
  session: () => Session;
  /** The claims of a token that was made for the session; null if it was not. */
  verify: (sessionId: string, token: string) => TokenClaim | null;
  webhooks: WebhookSender;
  headerPrefix: string;
  users: Users;
  log: Logger;
  /** A viewer may join, with the access that it has now. */
  admitted(viewer: Viewer, join: Join): void;
  /** A viewer that has joined already has a name or a colour now. */
  named(viewer: Viewer): void;
  /** Tells a viewer what it may do. */
  tellAccess(viewer: Viewer): void;
  /** A viewer acted; `code`: why it failed. */
  acted(viewer: Viewer, act: AuditAction, code?: string): void;
}

/** Names in a session's answers that are logged. */
const IGNORED_MAX = 20;

/** Decides which viewers may join a session, by token or by webhook, and who is an admin. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #guard: WebhookGuard | null;
  readonly #ignored = new Set<string>();
  readonly handlers: Pick<MessageHandlers, 'join' | 'admin'> = {
    join: (viewer, join) => void this.#join(viewer, join),
    admin: (viewer, { admin_token }) => this.#becomeAdmin(viewer, admin_token),
  };

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { auth } = options.session();
    this.#guard = auth.type === 'webhook' ? new WebhookGuard(auth, options.webhooks, options.headerPrefix) : null;
  }

  /** Whether a presented token is in force. */
  isInForce(claim: TokenClaim): boolean {
    return isInForce(claim, this.#options.session().tokens);
  }

  isAdminToken(token: string | undefined): boolean {
    const claim = token === undefined ? null : this.#options.verify(this.#options.session().id, token);
    return claim?.purpose === 'admin' && this.isInForce(claim);
  }

  /** A viewer presented an admin token that is none. */
  refuseAdmin(viewer: Viewer): void {
    viewer.tell({ type: 'refused', code: 'admin_token_invalid', message: 'This is not the admin token.' });
    this.#options.acted(viewer, { event: 'user.admin' }, 'admin_token_invalid');
    viewer.faulted();
  }

  /** A viewer has left; a pending question about it is cancelled. */
  left(viewer: Viewer): void {
    this.#guard?.forget(viewer);
  }

  async #join(viewer: Viewer, join: Join): Promise<void> {
    const { users, admitted } = this.#options;
    const credential = viewer.access.admin ? 'admin' : 'embed';
    const access = initialAccess(users.defaults, credential);
    const isAdmin = credential === 'admin' || this.isAdminToken(join.admin_token);
    viewer.person = this.#ownName(join);
    if (this.#guard === null || isAdmin) {
      viewer.access = access;
      admitted(viewer, join);
      return this.#guard === null ? undefined : this.#askAboutAdmin(this.#guard, viewer, join);
    }
    try {
      const verdict = await this.#guard.ask(viewer, join);
      if (verdict === null) return;
      if (!verdict.authorized) return this.#deny(viewer, verdict.reason);
      this.#logIgnored(verdict.ignored);
      viewer.access = grantedAccess(access, verdict.answer);
      viewer.person = { ...viewer.person, ...personOf(verdict.answer) };
    } catch (error) {
      return this.#deny(viewer, String(error));
    }
    admitted(viewer, join);
  }

  /** What a viewer says that it is called, where the session lets it. */
  #ownName({ name: wanted }: Join): Person {
    const name = this.#options.users.defaults.own_names === true ? shownName(wanted) : undefined;
    return name === undefined ? {} : { name };
  }

  /** The webhook learns of admins, too: its answer names them, but neither delays nor denies nor limits them. */
  async #askAboutAdmin(guard: WebhookGuard, viewer: Viewer, join: Join): Promise<void> {
    try {
      const verdict = await guard.ask(viewer, join);
      if (verdict === null) return;
      if (!verdict.authorized) return this.#logUnheeded(viewer, verdict.reason);
      this.#logIgnored(verdict.ignored);
      viewer.person = { ...viewer.person, ...personOf(verdict.answer) };
      this.#options.named(viewer);
    } catch (error) {
      this.#logUnheeded(viewer, String(error));
    }
  }

  #becomeAdmin(viewer: Viewer, token: string): void {
    const { users, tellAccess, acted } = this.#options;
    if (this.isAdminToken(token)) {
      users.setAccess(viewer, { ...viewer.access, admin: true });
      return acted(viewer, { event: 'user.admin' });
    }
    tellAccess(viewer);
    this.refuseAdmin(viewer);
  }

  /** Logs names in answers that are not known, each once. */
  #logIgnored(names: readonly string[]): void {
    const ignored = names.filter(name => !this.#ignored.has(name)).slice(0, IGNORED_MAX - this.#ignored.size);
    if (ignored.length === 0) return;
    for (const name of ignored) this.#ignored.add(name);
    this.#options.log.warn({ ignored }, 'webhook answer has unknown names or null, which are ignored');
  }

  #logUnheeded({ userId }: Viewer, reason: string): void {
    this.#options.log.info({ user_id: userId, reason }, 'denial of an admin is not heeded');
  }

  #deny(viewer: Viewer, reason: string): void {
    this.#options.log.info({ user_id: viewer.userId, reason }, 'viewer denied');
    this.#options.acted(viewer, { event: 'user.join' }, 'webhook_denied');
    viewer.reject();
  }
}
