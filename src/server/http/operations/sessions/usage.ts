import type { Usage, UsageQuery } from '../../../../protocol/generated/schemas.js';
import { summarize } from '../../../model/index.js';
import { json } from '../../table/description.js';
import { operation, query } from '../../table/operation.js';
import { clock } from '../../../lib/clock.js';

/** How long sessions have run. */
export const usage = [
  operation({
    method: 'get',
    path: '/v0/vm/usage',
    id: 'readUsage',
    tag: 'Usage',
    summary: 'Read usage',
    description:
      'Seconds that sessions have run, split at midnight UTC; running sessions count up to now. One entry for each date with usage, newest first.',
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
        const filter = { tenantId: query.tenant_id, from: utcDate(query.from), to: utcDate(query.to) };
        const days = await store.usage.until(clock.now(), filter);
        response.json({ usage: summarize(days, query.period ?? 'day') } satisfies Usage);
      },
  }),
];

function utcDate(text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(text).toISOString().slice(0, 10);
}
