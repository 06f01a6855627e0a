import type { SessionStore } from '../store/index.js';
import type { LiveSessions } from './live-sessions.js';
import type { Session, SessionTokens, Tokens } from '../model/index.js';

export interface TokenRenewalOptions {
  store: Pick<SessionStore, 'find' | 'replaceTokens'>;
  liveSessions: LiveSessions;
  tokens: Tokens;
}

/** Which tokens of a session are renewed, and whether viewers with the old ones stay connected. */
export interface Renewal {
  purposes: readonly ('embed' | 'admin')[];
  keepViewers: boolean;
}

/** Maximum number of queued renewals of one session, which run sequentially. */
const MAX_TRIES = 100;

/** Replaces tokens of running sessions. */
export class TokenRenewal {
  readonly #options: TokenRenewalOptions;

  constructor(options: TokenRenewalOptions) {
    this.#options = options;
  }

  /** @returns the session with its new tokens; null if it is not served here, or has ended */
  async renew(sessionId: string, { purposes, keepViewers }: Renewal): Promise<Session | null> {
    const { store, liveSessions, tokens } = this.#options;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const live = liveSessions.get(sessionId);
      if (live === undefined) return null;
      const before = await store.find(sessionId);
      if (before === null || before.state.type === 'ended') return null;
      const renewed = tokens.renewed(before.tokens, purposes);
      // Simultaneous renewals each create tokens; the last ones are in force.
      if (!(await store.replaceTokens(sessionId, before.tokens, renewed))) continue;
      const former = live.session.tokens;
      live.update({ tokens: newest(former, renewed) });
      if (!keepViewers) live.connection?.room.disconnectFormer(former);
      return { ...before, tokens: renewed };
    }
    return null;
  }
}

/** Of each purpose the newer token: renewals may arrive here in another order than they were stored. */
function newest(a: SessionTokens, b: SessionTokens): SessionTokens {
  const newer = (purpose: keyof SessionTokens) => (b[purpose].generation > a[purpose].generation ? b : a)[purpose];
  return { embed: newer('embed'), admin: newer('admin'), link: newer('link') };
}
