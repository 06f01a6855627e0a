import { json, type Operation } from '../operation.js';

/** How long sessions have run. */
export const usage: readonly Operation[] = [
  {
    method: 'get',
    path: '/v0/vm/usage',
    id: 'readUsage',
    tag: 'Usage',
    summary: 'Read usage',
    description:
      'Seconds that sessions have run, split at midnight UTC; running sessions count up to now. One entry for each date with usage, newest first.',
    security: ['apiKey'],
    query: 'queries.json#/$defs/usage',
    answers: {
      200: json('The usage.', 'answers.json#/$defs/usage', {
        usage: [
          { date: '2026-01-31T00:00:00.000Z', seconds: 5220.4 },
          { date: '2026-01-30T00:00:00.000Z', seconds: 912 },
        ],
      }),
    },
    errors: ['invalid_query', 'unauthorized'],
  },
];
