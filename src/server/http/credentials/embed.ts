import { nameActor } from '../../audit/index.js';
import { HttpError, isInForce } from '../../model/index.js';
import type { Parts } from '../parts.js';
import { find } from './find.js';
import type { SessionGuard } from './guards.js';

/** Admits those who have a session's `embed_url`; the admin token works as well. */
export function embedGuard({ sessions, store, tokens }: Pick<Parts, 'sessions' | 'store' | 'tokens'>): SessionGuard {
  return async (request, sessionId) => {
    const session = await find(store.sessions, sessionId);
    const { token } = request.query;
    const claim = typeof token === 'string' ? tokens.check(session.id, token) : null;
    if (claim === null || !isInForce(claim, session.tokens)) throw new HttpError('invalid_token');
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
