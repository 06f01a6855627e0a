import type { Logger } from 'pino';
import type { SessionStore } from '../../store/index.js';
import type { LiveSessions } from '../live-sessions.js';
import type { Session } from '../../model/index.js';

/** How long a session whose start was answered to nobody waits for somebody who asks for it, milliseconds. */
export const CLAIM_MS = 60_000;

/** A session that goes on in another process: who did not hear of it has all of the time again to ask. */
export function waitAgain(session: Session, now: number): Session {
  return session.claimBy === null ? session : { ...session, claimBy: now + CLAIM_MS };
}

/** Notes which sessions somebody knows of: whom the start was answered to, or who asked for it later. */
export class Claims {
  readonly #store: Pick<SessionStore, 'claim'>;
  readonly #liveSessions: LiveSessions;
  readonly #log: Logger;

  constructor(store: Pick<SessionStore, 'claim'>, liveSessions: LiveSessions, log: Logger) {
    this.#store = store;
    this.#liveSessions = liveSessions;
    this.#log = log;
  }

  /** Somebody who may asks for a session; `row`: what the store has of one that another replica may serve. */
  claim(sessionId: string, row?: Session): void {
    const live = this.#liveSessions.get(sessionId);
    const session = live?.session ?? row;
    if (session === undefined || session.claimBy === null) return;
    if (live !== undefined) live.session = { ...live.session, claimBy: null };
    this.#store.claim(sessionId).catch((error: unknown) => {
      this.#log.error({ err: error, session: sessionId }, 'not noted that a session is known');
    });
  }
}
