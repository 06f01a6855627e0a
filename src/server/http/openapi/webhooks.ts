import type { Components } from './schemas.js';
import { EXAMPLE_ID } from '../operations/common.js';

type Json = { [key: string]: unknown };

/** Requests that the service sends to an integrator's backend. */
export function webhooks(components: Components): Json {
  return {
    participantCheck: {
      post: {
        operationId: 'participantCheck',
        summary: 'A user asks to join',
        description:
          'Sent to `auth.value.url` for each connection, with `auth.value.bearer` as bearer token, signed with `auth.value.secret` or else the secret of the service. Once, and within 5 s: a timeout, a redirect, a status other than 200, a body over 64 KiB, or anything but `authorized: true` denies access. It is sent for holders of the admin token, too, who join at once: of its answer, `name` and `color` are heeded then.',
        parameters: [
          ...['User-Agent', 'Connection-IP', 'Connecting-IP'].map(name => ({
            name: `SVC-${name}`,
            in: 'header',
            required: true,
            description: `${name === 'User-Agent' ? "The user's browser" : "The user's address"}. The prefix can be configured.`,
            schema: { type: 'string' },
          })),
          ...signatureHeaders('The `user_id`.'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: components.use('participant-check.json#/$defs/request'),
              example: { user_id: '0b6e1c1e-6f0b-4b52-9f0e-5d6a5a2c7b11', userdata: { name: 'Ada' } },
            },
          },
        },
        responses: {
          200: {
            description: 'The user may join.',
            content: {
              'application/json': {
                schema: components.use('participant-check.json#/$defs/answer'),
                example: { authorized: true, permissions: { priority: 1 }, roles: ['control', 'clipboard_copy'] },
              },
            },
          },
          default: {
            description: 'The user may not join; any other body, such as `{"authorized": false}`, has the same effect.',
          },
        },
      },
    },
    lifecycle: {
      post: {
        operationId: 'lifecycleEvent',
        summary: 'Something happened in the life of a session',
        description:
          'Sent to `events.webhook.url`, or to the receiver of the service, with its bearer as bearer token, signed with `events.webhook.secret` or else the secret of the service. Repeated with growing pauses for a day until the receiver answers 2xx; redirects are not followed. The events of a session come in order: the next one is not sent before the one ahead of it was accepted, or given up after a day. Users that come and go faster than the service tells are left out, with both events.',
        parameters: [
          {
            name: 'idempotency-key',
            in: 'header',
            required: true,
            description: 'The `id` of the event, the same for each repetition.',
            schema: { type: 'string' },
          },
          ...signatureHeaders('The `id` of the event.'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: components.use('lifecycle-event.json#/$defs/event'),
              example: {
                id: `${EXAMPLE_ID}-ended`,
                event: 'ended',
                session_id: EXAMPLE_ID,
                tenant_id: 'customer-17',
                date: '2026-01-31T10:12:47.113Z',
                reason: 'inactive',
              },
            },
          },
        },
        responses: { '2XX': { description: 'The event was accepted.' } },
      },
    },
    timeout: {
      post: {
        operationId: 'timeoutEvent',
        summary: 'A timeout expired, or will soon',
        description:
          'Sent to `timeout.webhook.url`, with `timeout.webhook.bearer` as bearer token, signed with `timeout.webhook.secret` or else the secret of the service. Repeated with growing pauses for a day until the receiver answers 2xx; redirects are not followed. A warning is sent once for each approaching end, and again if input, a viewer or changed timeouts cancelled it in between. A warning that is at least as long as its timeout is never cancelled by input, and is sent once.',
        parameters: [
          {
            name: 'idempotency-key',
            in: 'header',
            required: true,
            description: 'The same for each repetition of one event.',
            schema: { type: 'string' },
          },
          ...signatureHeaders('The same for each repetition of one event.'),
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
        responses: { '2XX': { description: 'The event was accepted.' } },
      },
    },
  };
}

/**
 * Headers by which a receiver can verify, following Standard Webhooks, that a request came from the service, and when.
 */
function signatureHeaders(id: string): Json[] {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': 'When this request was sent, seconds since 1970 UTC.',
    'webhook-signature':
      'Signatures, separated by blanks: `v1,` and in base64 the HMAC-SHA256 of ID, timestamp and body, joined by full stops.',
  };
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }));
}
