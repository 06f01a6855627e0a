import { nameActor } from '../../audit/index.js';
import { HttpError, isInForce, isSessionId } from '../../model/index.js';
import type { Parts } from '../parts.js';
import { find } from './find.js';
import type { SessionGuard } from './guards.js';

/**
 * Admits those who have a session's `embed_url`; the admin token works as well. The store is queried only for tokens
 * that the service has made, so that nobody else learns which sessions exist.
 */
export function embedGuard({ sessions, store, tokens }: Pick<Parts, 'sessions' | 'store' | 'tokens'>): SessionGuard {
  return async (request, sessionId) => {
    const { token } = request.query;
    const claim = typeof token === 'string' && isSessionId(sessionId) ? tokens.check(sessionId, token) : null;
    if (claim === null) throw new HttpError('invalid_token');
    const session = await find(store.sessions, sessionId);
    if (!isInForce(claim, session.tokens)) throw new HttpError('invalid_token');
    nameActor(request, { type: claim.purpose === 'admin' ? 'admin_token' : 'embed_token' });
    if (session.state.name !== 'ended') {
      sessions.claim(session);
      return session;
    }
    const { reason, message } = session.state;
    throw new HttpError('session_ended', {
      message: `The session has ended (${reason}).${message === null ? '' : ` ${message}`}`,
      terminationReason: reason,
    });
  };
}
