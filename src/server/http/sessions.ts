import { Router, type Request } from 'express';
import type { ListQuery, SessionList, SessionRecord } from '../../protocol/generated/schemas.js';
import type { Sessions } from '../sessions/index.js';
import { HttpError, isSessionId, type Session } from '../model/index.js';
import type { SessionStore } from '../store/index.js';
import type { Addresses } from './addresses.js';
import { requestValidator } from './validate.js';

const PAGE_SIZE = 100;
const validateList = requestValidator<ListQuery>('queries.json#/$defs/list', 'invalid_query');
const iso = (time: number) => new Date(time).toISOString();

/** `GET /v0/vm`, `GET /v0/vm/{id}` and `DELETE /v0/vm/{id}`, for sessions of every kind. */
export function sessionResources(sessions: Sessions, store: SessionStore, addresses: Addresses): Router {
  const router = Router();
  router.get('/v0/vm', async (request, response) => {
    const { after_id: after } = validateList(request, request.query);
    const page = await store.page(after ?? null, PAGE_SIZE + 1);
    if (page === null)
      throw new HttpError('invalid_query', {
        details: [{ path: '/after_id', message: 'is not the ID of a session' }],
      });
    const results = page
      .slice(0, PAGE_SIZE)
      .map(({ id, createdAt }) => ({ id, creation_date: iso(createdAt) }));
    const list: SessionList = {
      results,
      next: page.length > PAGE_SIZE ? (results.at(-1)?.id ?? null) : null,
    };
    response.json(list);
  });
  router.get('/v0/vm/:id', async (request, response) => {
    const session = await find(store, request.params.id);
    sessions.claim(session);
    response.json(record(session, addresses, request));
  });
  router.delete('/v0/vm/:id', async (request, response) => {
    const { id } = await find(store, request.params.id);
    await sessions.end(id);
    response.json({ session_id: id });
  });
  return router;
}

/** The session with this ID. @throws HttpError */
export async function find(store: SessionStore, id: string): Promise<Session> {
  const session = isSessionId(id) ? await store.find(id) : null;
  if (session === null) throw new HttpError('session_not_found');
  return session;
}

function record(session: Session, addresses: Addresses, request: Request): SessionRecord {
  const { state } = session;
  const { load, save } = session.profile;
  const base = {
    ...addresses.of(session, request),
    creation_date: iso(session.createdAt),
    ...(load === null && save === null ? {} : { profile: { load, save } }),
  };
  if (state.name !== 'ended') return { ...base, termination_date: null };
  return {
    ...base,
    termination_date: iso(state.at),
    termination_reason: state.reason,
    ...(state.message === null ? {} : { termination_message: state.message }),
  };
}
