import type { TenantDeleted, TenantDeletionQuery } from '../../../protocol/generated/schemas.js';
import { note } from '../middleware/audit.js';
import { json, type Parameter } from '../table/description.js';
import { operation, query } from '../table/operation.js';

const TENANT_ID: Parameter = {
  name: 'tenant_id',
  in: 'path',
  required: true,
  description: 'As starts name it in `tenant_id`.',
  schema: 'start-common.json#/$defs/tenant_id',
};

const EXAMPLE: TenantDeleted = {
  ...{ tenant_id: 'customer-17', sessions_ended: 2, session_records: 31, profiles: 4, profiles_in_use: [] },
  ...{ webhooks: 0, events: 118, idempotency_keys: 5, usage_days: 0 },
};

/** What belongs to a tenant. */
export const tenants = [
  operation({
    method: 'delete',
    path: '/v0/tenants/{tenant_id}',
    id: 'deleteTenant',
    tag: 'Tenants',
    summary: "Delete a tenant's data",
    description:
      'Its sessions end, without saving anything, and their records, profiles with the saved games in them, uploads, ' +
      'webhooks that are not delivered yet, events and idempotency keys are deleted; usage only if asked for. The audit log stays. ' +
      'Idempotent: after an error call it again. Stop starting its sessions before.',
    credential: 'apiKey',
    parameters: [TENANT_ID],
    query: query<TenantDeletionQuery>('queries.json#/$defs/tenant_deletion'),
    answers: { 200: json('What went.', 'answers.json#/$defs/tenant_deleted', EXAMPLE) },
    errors: ['invalid_query', 'unauthorized', 'profile_unavailable'],
    audit: 'tenant.delete',
    handle:
      ({ sessions }) =>
      async ({ request, query, response }) => {
        const { tenant_id: id } = request.params;
        const erased = await sessions.eraseTenant(id, { usage: query.usage === 'true' });
        const gone = {
          sessions_ended: erased.sessionsEnded,
          session_records: erased.sessionRecords,
          profiles: erased.profiles,
          profiles_in_use: erased.profilesInUse,
          webhooks: erased.webhooks,
          events: erased.events,
          idempotency_keys: erased.idempotencyKeys,
          usage_days: erased.usageDays,
        };
        note(response, { tenant: id, ...gone });
        response.json({ tenant_id: id, ...gone } satisfies TenantDeleted);
      },
  }),
];
