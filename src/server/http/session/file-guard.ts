import type { Request } from 'express';
import type { Access, Hub } from '../../participants/index.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStore } from '../../store/sessions.js';
import { HttpError } from '../errors.js';
import { find } from '../sessions.js';
import type { SessionGuard } from './guard.js';

/** Finds the live session whose files a request is about, where its caller `may` have them. */
export type FileGuard = (request: Request<{ id: string }>, may: (access: Access) => boolean, message: string) => Promise<Session>;

/** Lets viewers pass by the ticket of their connection, and those who may administer the session. */
export function fileGuard(hub: Hub, store: SessionStore, guard: SessionGuard): FileGuard {
  const byTicket = async (id: string, ticket: string, may: (access: Access) => boolean, message: string) => {
    const session = await find(store, id);
    if (session.state.name === 'ended') throw new HttpError('session_ended');
    const viewer = hub.byTicket(session.id, ticket);
    if (viewer === null) throw new HttpError('ticket_invalid');
    if (!may(viewer.access)) throw new HttpError('role_required', { message });
    return session;
  };
  return async (request, may, message) => {
    const { ticket } = request.query;
    const session = typeof ticket === 'string' ? await byTicket(request.params.id, ticket, may, message) : await guard.admit(request, request.params.id);
    if (session.launch.kind !== 'chromium') throw new HttpError('not_a_browser');
    return session;
  };
}
