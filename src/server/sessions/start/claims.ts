import type { Logger } from 'pino';
import type { SessionStore } from '../../store/index.js';
import type { LiveSession } from '../live-session.js';
import type { LiveSessions } from '../live-sessions.js';
import type { Session } from '../../model/index.js';

/** How long an unclaimed session waits to be claimed, milliseconds. */
export const CLAIM_MS = 60_000;

/** Restarts the wait when another process resumes the session, so that callers have the full time to ask for it. */
export function restartClaim(session: Session, now: number): Session {
  return session.claimBy === null ? session : { ...session, claimBy: now + CLAIM_MS };
}

/** Tracks which sessions are claimed: whose start was answered, or for which somebody asked later. */
export class Claims {
  readonly #store: Pick<SessionStore, 'claim'>;
  readonly #liveSessions: LiveSessions;
  readonly #saveSoon: (live: LiveSession) => void;
  readonly #log: Logger;

  /** `saveSoon` writes the state of a session that is served here until that succeeds. */
  constructor(
    store: Pick<SessionStore, 'claim'>,
    liveSessions: LiveSessions,
    saveSoon: (live: LiveSession) => void,
    log: Logger,
  ) {
    this.#store = store;
    this.#liveSessions = liveSessions;
    this.#saveSoon = saveSoon;
    this.#log = log;
  }

  /** An authorized caller asked for a session; `row`: the store's row of one that another replica may serve. */
  claim(sessionId: string, row?: Pick<Session, 'claimBy'>): void {
    const live = this.#liveSessions.get(sessionId);
    const { claimBy } = live?.session ?? row ?? { claimBy: null };
    if (claimBy === null) return;
    live?.update({ claimBy: null });
    this.#store.claim(sessionId).catch((error: unknown) => {
      this.#log.error({ err: error, session: sessionId }, 'claim of a session not written');
      if (live !== undefined) this.#saveSoon(live);
    });
  }
}
