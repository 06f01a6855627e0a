import type { ProfileKind, ProfileList, ProfileRecord, ProfilesQuery } from '../../../protocol/generated/schemas.js';
import { HttpError, isSessionId } from '../../model/index.js';
import type { ProfileRecord as Profile } from '../../store/index.js';
import { json } from '../table/description.js';
import type { Parameter } from '../table/description.js';
import { operation, query } from '../table/operation.js';
import { EXAMPLE_ID } from './common.js';

const PAGE_SIZE = 100;

const PROFILE_ID: Parameter = {
  name: 'profile_id',
  in: 'path',
  required: true,
  description: 'ID of the profile: that of the session that saved it first.',
  schema: 'start-common.json#/$defs/session_id',
};

const EXAMPLE: ProfileRecord = {
  ...{ id: EXAMPLE_ID, kind: 'chromium', tenant_id: 'customer-17', bytes: 4_194_304 },
  creation_date: '2026-01-30T18:00:12.000Z',
  saved_date: '2026-01-31T10:12:49.000Z',
  used_date: '2026-01-31T10:12:49.000Z',
  session_ids: [],
};

/** Formats a time in milliseconds since 1970. */
const iso = (time: number): string => new Date(time).toISOString();

/** The public record of a profile. */
function record({ id, kind, tenantId, bytes, createdAt, savedAt, usedAt, sessions }: Profile): ProfileRecord {
  return {
    ...{ id, kind: kind as ProfileKind, tenant_id: tenantId, bytes },
    ...{ creation_date: iso(createdAt), saved_date: iso(savedAt), used_date: iso(usedAt) },
    session_ids: sessions,
  };
}

const common = { tag: 'Profiles', credential: 'apiKey' } as const;

/** Listing, reading and deleting what sessions have saved. */
export const profiles = [
  operation({
    ...common,
    method: 'get',
    path: '/v0/profiles',
    id: 'listProfiles',
    summary: 'List profiles',
    description:
      'At most 100; `next` is null on the last page. Without parameters all, oldest first; with several, those that fit all of them.',
    query: query<ProfilesQuery>('queries.json#/$defs/profiles'),
    answers: { 200: json('One page.', 'answers.json#/$defs/profile_list', { results: [EXAMPLE], next: null }) },
    errors: ['invalid_query', 'unauthorized'],
    audit: 'profiles.list',
    handle:
      ({ store }) =>
      async ({ query: { after_id: after = null, sort, kind, tenant_id: tenantId }, response }) => {
        const filter = { kind, tenantId, newestFirst: sort === 'newest' };
        const page = await store.profiles.page(after, PAGE_SIZE + 1, filter);
        if (page === null)
          throw new HttpError('invalid_query', {
            details: [{ path: '/after_id', message: 'is not the ID of a profile' }],
          });
        const results = page.slice(0, PAGE_SIZE).map(record);
        const next = page.length > PAGE_SIZE ? (results.at(-1)?.id ?? null) : null;
        response.json({ results, next } satisfies ProfileList);
      },
  }),
  operation({
    ...common,
    method: 'get',
    path: '/v0/profiles/{profile_id}',
    id: 'readProfile',
    summary: 'Read a profile',
    description: 'What is known of it; its content is for sessions only.',
    parameters: [PROFILE_ID],
    answers: { 200: json('The profile.', 'answers.json#/$defs/profile', EXAMPLE) },
    errors: ['unauthorized', 'no_profile'],
    audit: 'profile.read',
    handle:
      ({ store }) =>
      async ({ request, response }) => {
        const { profile_id: id } = request.params;
        const found = isSessionId(id) ? await store.profiles.find(id) : null;
        if (found === null) throw new HttpError('no_profile');
        response.json(record(found));
      },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/v0/profiles/{profile_id}',
    id: 'deleteProfile',
    summary: 'Delete a profile',
    description:
      'Its data are gone from where profiles are stored when it answers. With 503 they may still be there, though no session can load them; call it again.',
    parameters: [PROFILE_ID],
    answers: {
      200: json('The profile was deleted.', 'answers.json#/$defs/profile_deleted', { profile_id: EXAMPLE_ID }),
    },
    errors: ['unauthorized', 'no_profile', 'profile_in_use', 'profile_unavailable'],
    audit: 'profile.delete',
    handle:
      ({ profiles }) =>
      async ({ request, response }) => {
        const { profile_id: id } = request.params;
        const outcome = isSessionId(id) ? await profiles.delete(id) : 'unknown';
        if (outcome === 'unknown') throw new HttpError('no_profile');
        if (outcome === 'in_use') throw new HttpError('profile_in_use');
        response.json({ profile_id: id });
      },
  }),
];
