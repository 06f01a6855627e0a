import { json, type Operation } from '../operation.js';
import { EXAMPLE_ID, PREFER, SESSION_ID } from './parameters.js';
import { CREATED, START_ANSWERS, START_ERRORS } from './starts.js';

const TAG = 'Sessions';

const START = {
  start_url: 'https://example.com',
  width: 1280,
  height: 720,
  fps: 30,
  timeout: { absolute: 7200, inactive: 900, webhook: { url: 'https://backend.example.com/timeouts', bearer: 'a-secret' } },
  tenant_id: 'customer-17',
};

/** Starting, listing, reading and ending sessions. */
export const sessions: readonly Operation[] = [
  {
    method: 'post',
    path: '/v0/vm',
    id: 'startChromium',
    tag: TAG,
    summary: 'Start a Chromium session',
    description:
      'Answers when the session runs. An empty body, or none, is valid. A custom extension comes as multipart/form-data: ' +
      'the JSON in the part `body`, the archive (`.zip` or `.crx`, at most 1 MiB) in the part that `extension.field` names.',
    security: ['apiKey'],
    parameters: [PREFER],
    body: {
      description: 'With `extension`, as parts: `body` with the JSON, and the archive in the part that `extension.field` names.',
      required: false,
      content: {
        'application/json': { schema: 'start-chromium.json', example: START },
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['body'],
            properties: { body: { type: 'string', contentMediaType: 'application/json', description: 'The fields above.' } },
            additionalProperties: { type: 'string', contentMediaType: 'application/zip' },
          },
        },
      },
    },
    answers: START_ANSWERS,
    errors: [...START_ERRORS, 'bad_request', 'extension_invalid', 'extension_unsupported'],
  },
  {
    method: 'get',
    path: '/v0/vm',
    id: 'listSessions',
    tag: TAG,
    summary: 'List running sessions',
    description: 'Sessions of every kind, oldest first, at most 100; `next` is null on the last page.',
    security: ['apiKey'],
    query: 'queries.json#/$defs/list',
    answers: {
      200: json('One page.', 'answers.json#/$defs/list', {
        results: [{ id: EXAMPLE_ID, creation_date: '2026-01-31T09:30:00.000Z' }],
        next: null,
      }),
    },
    errors: ['invalid_query', 'unauthorized'],
  },
  {
    method: 'get',
    path: '/v0/vm/{session_id}',
    id: 'readSession',
    tag: TAG,
    summary: 'Read a session',
    description: 'Sessions that have ended stay readable, with the date and the reason.',
    security: ['apiKey'],
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
  },
  {
    method: 'delete',
    path: '/v0/vm/{session_id}',
    id: 'endSession',
    tag: TAG,
    summary: 'End a session',
    description: 'Repeated, it answers the same.',
    security: ['apiKey'],
    parameters: [SESSION_ID],
    answers: { 200: json('The session has ended.', 'answers.json#/$defs/ended', { session_id: EXAMPLE_ID }) },
    errors: ['unauthorized', 'session_not_found'],
  },
];
