import type { ListQuery, SessionList } from '../../../../protocol/generated/schemas.js';
import { HttpError } from '../../../model/index.js';
import { findSummary } from '../../credentials/guards.js';
import { json } from '../../table/description.js';
import { operation, query } from '../../table/operation.js';
import { CREATED, EXAMPLE_ID, SESSION_ID } from '../parameters.js';
import { iso, record } from './record.js';

const PAGE_SIZE = 100;

/** Listing, reading and ending sessions of every kind. */
export const sessions = [
  operation({
    method: 'get',
    path: '/v0/vm',
    id: 'listSessions',
    tag: 'Sessions',
    summary: 'List running sessions',
    description: 'Sessions of every kind, oldest first, at most 100; `next` is null on the last page.',
    credential: 'apiKey',
    query: query<ListQuery>('queries.json#/$defs/list'),
    answers: {
      200: json('One page.', 'answers.json#/$defs/list', {
        results: [{ id: EXAMPLE_ID, creation_date: '2026-01-31T09:30:00.000Z' }],
        next: null,
      }),
    },
    errors: ['invalid_query', 'unauthorized'],
    audit: 'sessions.list',
    handle:
      ({ store }) =>
      async ({ query: { after_id: after }, response }) => {
        const page = await store.sessions.page(after ?? null, PAGE_SIZE + 1);
        if (page === null)
          throw new HttpError('invalid_query', {
            details: [{ path: '/after_id', message: 'is not the ID of a session' }],
          });
        const results = page.slice(0, PAGE_SIZE).map(({ id, createdAt }) => ({ id, creation_date: iso(createdAt) }));
        const next = page.length > PAGE_SIZE ? (results.at(-1)?.id ?? null) : null;
        response.json({ results, next } satisfies SessionList);
      },
  }),
  operation({
    method: 'get',
    path: '/v0/vm/{session_id}',
    id: 'readSession',
    tag: 'Sessions',
    summary: 'Read a session',
    description: 'Sessions that have ended stay readable, with the date and the reason.',
    credential: 'apiKey',
    parameters: [SESSION_ID],
    answers: {
      200: json('The session.', 'answers.json#/$defs/session', {
        ...CREATED,
        creation_date: '2026-01-31T09:30:00.000Z',
        termination_date: '2026-01-31T10:12:47.113Z',
        termination_reason: 'inactive',
      }),
    },
    errors: ['unauthorized', 'session_not_found'],
    audit: 'session.read',
    handle:
      ({ sessions, store, addresses }) =>
      async ({ request, response }) => {
        const session = await findSummary(store.sessions, request.params.session_id);
        sessions.claim(session);
        response.json(record(session, addresses.of(session, request)));
      },
  }),
  operation({
    method: 'delete',
    path: '/v0/vm/{session_id}',
    id: 'endSession',
    tag: 'Sessions',
    summary: 'End a session',
    description:
      'Idempotent. Answers once the profile of the session is saved, which may take two minutes, and ten with Android.',
    credential: 'apiKey',
    parameters: [SESSION_ID],
    answers: { 200: json('The session has ended.', 'answers.json#/$defs/ended', { session_id: EXAMPLE_ID }) },
    errors: ['unauthorized', 'session_not_found'],
    audit: 'session.end',
    handle:
      ({ sessions, store }) =>
      async ({ request, response }) => {
        const { id } = await findSummary(store.sessions, request.params.session_id);
        await sessions.end(id);
        response.json({ session_id: id });
      },
  }),
];
