import { HttpError, isSessionId, type Session, type SessionSummary } from '../../model/index.js';
import type { SessionStore } from '../../store/index.js';

/** The session with this ID. @throws HttpError */
export async function find(store: SessionStore, id: string): Promise<Session> {
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
