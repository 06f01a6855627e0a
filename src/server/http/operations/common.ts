import type { ErrorCode } from '../../model/index.js';
import type { Parameter } from '../table/description.js';

/** The session in a path. */
export const SESSION_ID: Parameter = {
  name: 'session_id',
  in: 'path',
  required: true,
  description: 'ID of the session.',
  schema: 'start-common.json#/$defs/session_id',
};

/** Header of all operations that honour it. */
export const PREFER: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: '`handling=lenient`: unknown fields are ignored, which `Preference-Applied` in the answer confirms.',
  schema: { type: 'string' },
};

/** The session's ID in examples. */
export const EXAMPLE_ID = 'Vb1vXk0qT2mR8sYc3nLwQA';

/** The answer to a start in examples. */
export const CREATED = {
  session_id: EXAMPLE_ID,
  embed_url: `https://berth.example.com/s/${EXAMPLE_ID}?token=kx1M3q8cJ6Zp0aVtHn4rYw7sLd2fGb5uQe9iOjRmTzA`,
  admin_token: 'Wm8Tq2vYc5LxZ0nRb7KdJf3hPs6gAu9eQi1oXtMjN4w',
};

/** Errors of everything that admins can request of a session. */
export const ADMIN_ERRORS: readonly ErrorCode[] = [
  'unauthorized',
  'admin_required',
  'session_not_found',
  'session_ended',
  'agent_lost',
];

/** Errors of requests to a session's agent. */
export const AGENT_ERRORS: readonly ErrorCode[] = ['agent_failed', 'not_ready', 'agent_silent'];

/** Errors of JSON bodies. */
export const JSON_ERRORS: readonly ErrorCode[] = [
  'invalid_body',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
];
