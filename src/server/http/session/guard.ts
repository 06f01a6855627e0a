import type { Request } from 'express';
import type { Session } from '../../sessions/session.js';
import type { Tokens } from '../../sessions/tokens.js';
import type { SessionStore } from '../../store/sessions.js';
import { credentialOf, type ApiKeys } from '../credentials.js';
import { HttpError } from '../errors.js';
import { find } from '../sessions.js';

/** Finds the live session that a request is about, where its credential may administer it. */
export interface SessionGuard {
  /** @throws HttpError */
  (request: Request<{ id: string }>): Promise<Session>;
}

/** Lets the session's admin token and API keys pass. */
export function sessionGuard(store: SessionStore, tokens: Tokens, apiKeys: ApiKeys): SessionGuard {
  return async request => {
    const credential = credentialOf(request);
    if (credential === null) throw new HttpError('unauthorized');
    const isKey = apiKeys.accepts(credential);
    const session = await find(store, request.params.id);
    const token = tokens.verify(session.id, credential);
    if (!isKey && token === null) throw new HttpError('unauthorized');
    if (!isKey && token !== 'admin') throw new HttpError('admin_required');
    if (session.state.name === 'ended') throw new HttpError('session_ended');
    return session;
  };
}
