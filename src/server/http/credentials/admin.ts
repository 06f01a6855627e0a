import { nameActor } from '../../audit/index.js';
import { HttpError, isInForce, isSessionId } from '../../model/index.js';
import type { Parts } from '../parts.js';
import { credentialOf, type ApiKeys } from './api-keys.js';
import { find } from './find.js';
import type { SessionGuard } from './guards.js';

/** Admits those who may administer a live session: by its admin token, or an API key. */
export function adminGuard(
  { sessions, store, tokens }: Pick<Parts, 'sessions' | 'store' | 'tokens'>,
  apiKeys: ApiKeys,
): SessionGuard {
  return async (request, sessionId) => {
    const credential = credentialOf(request);
    if (credential === null) throw new HttpError('unauthorized');
    const key = apiKeys.identify(credential);
    const isKey = key !== null;
    if (isKey) nameActor(request, { type: 'api_key', key });
    // The store is queried only for credentials that the service has made.
    const claim = isKey || !isSessionId(sessionId) ? null : tokens.check(sessionId, credential);
    if (!isKey && claim === null) throw new HttpError('unauthorized');
    const session = await find(store.sessions, sessionId);
    if (claim !== null && !isInForce(claim, session.tokens)) throw new HttpError('unauthorized');
    if (!isKey) nameActor(request, { type: claim?.purpose === 'admin' ? 'admin_token' : 'embed_token' });
    if (!isKey && claim?.purpose !== 'admin') throw new HttpError('admin_required');
    if (session.state.name === 'ended') throw new HttpError('session_ended');
    sessions.claim(session);
    return session;
  };
}
