import type { Request } from 'express';
import { nameActor } from '../../audit/index.js';
import type { Hub } from '../../participants/index.js';
import { type Access, HttpError, kindOf, type Session } from '../../model/index.js';
import type { SessionStore } from '../../store/index.js';
import { find } from '../sessions.js';
import type { SessionGuard } from './guard.js';

/** What a viewer needs for a request, and what the others are told. */
export interface ViewerNeed {
  test(access: Access): boolean;
  message: string;
}

/** Finds the live session that a request is about, where its caller may have what it asks for. @throws HttpError */
export type ViewerGuard = (request: Request<{ id: string }>, need?: ViewerNeed) => Promise<Session>;

/** Lets viewers pass by the ticket of their connection, and those who may administer the session. */
export function viewerGuard(hub: Hub, store: SessionStore, guard: SessionGuard): ViewerGuard {
  const byTicket = async (request: object, id: string, ticket: string, need: ViewerNeed | undefined) => {
    const session = await find(store, id);
    if (session.state.name === 'ended') throw new HttpError('session_ended');
    const viewer = hub.byTicket(session.id, ticket);
    if (viewer === null) throw new HttpError('ticket_invalid');
    nameActor(request, { type: 'user', user_id: viewer.userId, admin: viewer.access.admin, by: 'ticket' });
    if (need !== undefined && !need.test(viewer.access)) throw new HttpError('role_required', { message: need.message });
    return session;
  };
  return (request, need) => {
    const { ticket } = request.query;
    const { id } = request.params;
    return typeof ticket === 'string' ? byTicket(request, id, ticket, need) : guard.admit(request, id);
  };
}

/** The same for files, which only browsers have. */
export function fileGuard(viewers: ViewerGuard): ViewerGuard {
  return async (request, need) => {
    const session = await viewers(request, need);
    if (kindOf(session.launch.kind).calls !== 'browser') throw new HttpError('not_a_browser');
    return session;
  };
}
