import type { Request } from 'express';
import { nameActor } from '../../audit/index.js';
import { HttpError, isInForce, isSessionId, maySee, type Session, type SessionSummary } from '../../model/index.js';
import type { SessionStore } from '../../store/index.js';
import type { OperationContext } from '../context.js';
import { credentialOf, type ApiKeys } from './api-keys.js';
import type { Credential, ViewerNeed } from './credential.js';

/** The part of a request that guards use. */
export type GuardedRequest = Pick<Request, 'get' | 'query'>;

/**
 * Admits a request about the session with this ID if its credential is valid for it, and records the caller for the
 * audit log. Resolves with the live session.
 * @throws HttpError
 */
export type SessionGuard = (request: GuardedRequest, sessionId: string, need?: ViewerNeed) => Promise<Session>;

/** The same for requests about any session, or none. */
export type Guard = (request: GuardedRequest, sessionId: string, need?: ViewerNeed) => Promise<Session | null>;

/** The guard of each credential. */
export function makeGuards(
  context: Pick<OperationContext, 'sessions' | 'store' | 'tokens'>,
  apiKeys: ApiKeys,
): Record<Credential, Guard> {
  const admin = adminGuard(context, apiKeys);
  return {
    none: async () => null,
    apiKey: async request => (apiKeys.require(request), null),
    embedToken: embedGuard(context),
    admin,
    viewer: viewerGuard(context, admin),
  };
}

/** Admits those who may administer a live session: by its admin token, or an API key. */
function adminGuard(
  { sessions, store, tokens }: Pick<OperationContext, 'sessions' | 'store' | 'tokens'>,
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
    if (session.state.type === 'ended') throw new HttpError('session_ended');
    sessions.claim(session);
    return session;
  };
}

/**
 * Admits those who have a session's `embed_url`; the admin token works as well. The store is queried only for tokens
 * that the service has made, so that nobody else learns which sessions exist.
 */
function embedGuard({
  sessions,
  store,
  tokens,
}: Pick<OperationContext, 'sessions' | 'store' | 'tokens'>): SessionGuard {
  return async (request, sessionId) => {
    const { token } = request.query;
    const claim = typeof token === 'string' && isSessionId(sessionId) ? tokens.check(sessionId, token) : null;
    if (claim === null) throw new HttpError('invalid_token');
    const session = await find(store.sessions, sessionId);
    if (!isInForce(claim, session.tokens)) throw new HttpError('invalid_token');
    nameActor(request, { type: claim.purpose === 'admin' ? 'admin_token' : 'embed_token' });
    if (session.state.type !== 'ended') {
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

/** Admits viewers by their connection's ticket, and those who may administer the session; in private, its user alone. */
function viewerGuard(
  { sessions, store }: Pick<OperationContext, 'sessions' | 'store'>,
  admin: SessionGuard,
): SessionGuard {
  const byTicket = async (request: object, id: string, ticket: string, need: ViewerNeed | undefined) => {
    const session = await find(store.sessions, id);
    if (session.state.type === 'ended') throw new HttpError('session_ended');
    const room = sessions.room(session.id);
    const viewer = room?.byTicket(ticket);
    if (room === undefined || viewer === undefined) throw new HttpError('ticket_invalid');
    nameActor(request, { type: 'user', user_id: viewer.userId, admin: viewer.access.admin, by: 'ticket' });
    if (!maySee(viewer.access)) throw new HttpError('privacy_mode');
    if (need !== undefined && !need.test(viewer.access)) throw new HttpError(need.code, { message: need.message });
    if (need?.control === true && !room.takesPart(viewer)) throw new HttpError('control_taken');
    return session;
  };
  return async (request, id, need) => {
    const { ticket } = request.query;
    if (typeof ticket === 'string') return byTicket(request, id, ticket, need);
    const session = await admin(request, id);
    if (session.defaults.private !== undefined) throw new HttpError('privacy_mode');
    return session;
  };
}

/** The session with this ID. @throws HttpError */
async function find(store: SessionStore, id: string): Promise<Session> {
  const session = isSessionId(id) ? await store.find(id) : null;
  if (session === null) throw new HttpError('session_not_found');
  return session;
}

/** The public part of the session with this ID. @throws HttpError */
export async function findSummary(store: SessionStore, id: string): Promise<SessionSummary> {
  const session = isSessionId(id) ? await store.summary(id) : null;
  if (session === null) throw new HttpError('session_not_found');
  return session;
}
