import type {
  ListQuery,
  SessionCreated,
  SessionList,
  SessionRecord,
  Usage,
  UsageQuery,
} from '../../../protocol/generated/schemas.js';
import { clock } from '../../lib/clock.js';
import { HttpError, nextDeadline, type SessionSummary, summarize } from '../../model/index.js';
import { type SessionFilter, USAGE_MAX } from '../../store/index.js';
import { findSummary } from '../credentials/guards.js';
import { json } from '../table/description.js';
import { operation, query } from '../table/operation.js';
import { CREATED, EXAMPLE_ID, SESSION_ID } from './common.js';

const PAGE_SIZE = 100;

/** Formats a time in milliseconds since 1970. */
const iso = (time: number): string => new Date(time).toISOString();

/** The public record of a session, without its addresses. */
function record(session: SessionSummary): Omit<SessionRecord, keyof SessionCreated> {
  const { state, profile, createdAt, readyAt, tenantId } = session;
  const { load, save } = profile;
  const { kind, region, tag, metadata, viewers, size } = session;
  const deadline = state.type === 'ended' ? null : nextDeadline(session);
  const base = {
    ...{ kind, state: state.type, region, tag, tenant_id: tenantId, metadata, viewers, ...size },
    creation_date: iso(createdAt),
    ready_date: readyAt === null ? null : iso(readyAt),
    expires_at: deadline === null ? null : iso(deadline.at),
    ...(load === null && save === null ? {} : { profile: { load, save } }),
  };
  if (state.type !== 'ended') return { ...base, termination_date: null };
  return {
    ...base,
    termination_date: iso(state.at),
    termination_reason: state.reason,
    ...(state.message === null ? {} : { termination_message: state.message }),
    ...(state.code === null ? {} : { termination_code: state.code }),
  };
}

/** What a query asks for. */
function filterOf(query: ListQuery): SessionFilter {
  const { kind, region, tag, tenant_id: tenantId, metadata, termination_reason: reason } = query;
  const range = (name: 'created' | 'ready' | 'expires' | 'ended') => ({
    from: timeOf(query[`${name}_from`]),
    to: timeOf(query[`${name}_to`]),
  });
  const ended = range('ended');
  const isOfEnd = reason !== undefined || ended.from !== undefined || ended.to !== undefined;
  const { state = isOfEnd ? 'ended' : 'running' } = query;
  const equals = metadata?.indexOf('=') ?? 0;
  return {
    ...{ kind, region, tag, tenantId, reason, ended },
    ...(state === 'all' ? {} : { state }),
    ...(metadata === undefined
      ? {}
      : { metadata: { name: metadata.slice(0, equals), value: metadata.slice(equals + 1) } }),
    viewers: { min: numberOf(query.viewers_min), max: numberOf(query.viewers_max) },
    ...{ width: numberOf(query.width), height: numberOf(query.height) },
    ...{ created: range('created'), ready: range('ready'), expires: range('expires') },
    newestFirst: query.sort === 'newest',
  };
}

/** UTC milliseconds. */
const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** A record in examples. */
const EXAMPLE = {
  ...{
    kind: 'chromium',
    state: 'running',
    region: 'NA',
    tag: null,
    tenant_id: 'customer-17',
    metadata: { plan: 'pro' },
  },
  ...{ viewers: 2, width: 1280, height: 720 },
  creation_date: '2026-01-31T09:30:00.000Z',
  ready_date: '2026-01-31T09:30:00.812Z',
  expires_at: '2026-01-31T11:30:00.000Z',
  termination_date: null,
};

/** Listing, reading and ending sessions of every kind. */
export const sessions = [
  operation({
    method: 'get',
    path: '/v0/vm',
    id: 'listSessions',
    tag: 'Sessions',
    summary: 'List sessions',
    description:
      'Sessions of every kind, at most 100; `next` is null on the last page. Without parameters, those that run, oldest first; with several, those that fit all of them.',
    credential: 'apiKey',
    query: query<ListQuery>('queries.json#/$defs/list'),
    answers: {
      200: json('One page.', 'answers.json#/$defs/list', {
        results: [{ id: EXAMPLE_ID, ...EXAMPLE }],
        next: null,
      }),
    },
    errors: ['invalid_query', 'unauthorized'],
    audit: 'sessions.list',
    handle:
      ({ store }) =>
      async ({ query, response }) => {
        const page = await store.sessions.page(query.after_id ?? null, PAGE_SIZE + 1, filterOf(query));
        if (page === null)
          throw new HttpError('invalid_query', {
            details: [{ path: '/after_id', message: 'is not the ID of a session' }],
          });
        const results = page.slice(0, PAGE_SIZE).map(session => ({ id: session.id, ...record(session) }));
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
        ...EXAMPLE,
        ...{ state: 'ended', viewers: 0, expires_at: null },
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
        response.json({ ...addresses.of(session, request), ...record(session) } satisfies SessionRecord);
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

/** What usage can be told apart by. */
const GROUPS = ['tenant_id', 'kind'] as const;

/** How long sessions have run. */
export const usage = [
  operation({
    method: 'get',
    path: '/v0/vm/usage',
    id: 'readUsage',
    tag: 'Usage',
    summary: 'Read usage',
    description:
      'Seconds that sessions have run, split at midnight UTC; running sessions count up to now. One entry for each date with usage, newest first; with `group_by` for each date, tenant and kind.',
    credential: 'apiKey',
    query: query<UsageQuery>('queries.json#/$defs/usage'),
    answers: {
      200: json('The usage.', 'answers.json#/$defs/usage', {
        usage: [
          { date: '2026-01-31T00:00:00.000Z', seconds: 5220.4 },
          { date: '2026-01-30T00:00:00.000Z', seconds: 912 },
        ],
      }),
    },
    errors: ['invalid_query', 'unauthorized'],
    audit: 'usage.read',
    handle:
      ({ store }) =>
      async ({ query, response }) => {
        const { tenant_id: tenantId, kind, group_by: groups } = query;
        const groupBy = GROUPS.filter(group => groups?.split(',').includes(group));
        const filter = { tenantId, kind, groupBy, from: utcDate(query.from), to: utcDate(query.to) };
        const days = await store.usage.until(clock.now(), filter);
        if (days === null)
          throw new HttpError('invalid_query', {
            details: [{ path: '/from', message: `leaves more than ${USAGE_MAX} entries; choose a later date` }],
          });
        response.json({ usage: summarize(days, query.period ?? 'day') } satisfies Usage);
      },
  }),
];

function utcDate(text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(text).toISOString().slice(0, 10);
}
