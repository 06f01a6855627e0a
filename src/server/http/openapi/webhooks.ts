import type { Components } from './schemas.js';
import { EXAMPLE_ID } from './operations/parameters.js';

type Json = { [key: string]: unknown };

/** Requests that the service sends to an integrator's backend. */
export function webhooks(components: Components): Json {
  return {
    timeout: {
      post: {
        operationId: 'timeoutEvent',
        summary: 'A timeout struck, or will soon',
        description:
          'Sent to `timeout.webhook.url`, with `timeout.webhook.bearer` as bearer token. Repeated with growing pauses for a day until the receiver answers 2xx; redirects are not followed.',
        parameters: [
          {
            name: 'idempotency-key',
            in: 'header',
            required: true,
            description: 'The same for each repetition of one event.',
            schema: { type: 'string' },
          },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: components.use('timeout-event.json'),
              example: {
                session_id: EXAMPLE_ID,
                type: 'inactive',
                event: 'warning',
                seconds_left: 60,
                termination_date: '2026-01-31T10:12:47.113Z',
              },
            },
          },
        },
        responses: { '2XX': { description: 'The event was taken.' } },
      },
    },
  };
}
