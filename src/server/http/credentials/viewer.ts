import { nameActor } from '../../audit/index.js';
import { HttpError } from '../../model/index.js';
import type { Parts } from '../parts.js';
import type { ViewerNeed } from './credential.js';
import { find } from './find.js';
import type { SessionGuard } from './guards.js';

/** Admits viewers by their connection's ticket, and those who may administer the session. */
export function viewerGuard({ sessions, store }: Pick<Parts, 'sessions' | 'store'>, admin: SessionGuard): SessionGuard {
  const byTicket = async (request: object, id: string, ticket: string, need: ViewerNeed | undefined) => {
    const session = await find(store.sessions, id);
    if (session.state.name === 'ended') throw new HttpError('session_ended');
    const viewer = sessions.hub.byTicket(session.id, ticket);
    if (viewer === null) throw new HttpError('ticket_invalid');
    nameActor(request, { type: 'user', user_id: viewer.userId, admin: viewer.access.admin, by: 'ticket' });
    if (need !== undefined && !need.test(viewer.access))
      throw new HttpError('role_required', { message: need.message });
    if (need?.control === true && !viewer.takesPart()) throw new HttpError('control_taken');
    return session;
  };
  return (request, id, need) => {
    const { ticket } = request.query;
    return typeof ticket === 'string' ? byTicket(request, id, ticket, need) : admin(request, id);
  };
}
