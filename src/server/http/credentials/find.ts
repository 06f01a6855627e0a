import { HttpError, isSessionId, type Session } from '../../model/index.js';
import type { SessionStore } from '../../store/index.js';

/** The session with this ID. @throws HttpError */
export async function find(store: SessionStore, id: string): Promise<Session> {
  const session = isSessionId(id) ? await store.find(id) : null;
  if (session === null) throw new HttpError('session_not_found');
  return session;
}
