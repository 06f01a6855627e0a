import type { ErrorCode } from '../../../model/index.js';
import { json, type Operation } from '../operation.js';
import { EXAMPLE_ID } from './parameters.js';

/** A session as a start answers it. */
export const CREATED = {
  session_id: EXAMPLE_ID,
  embed_url: `https://berth.example.com/s/${EXAMPLE_ID}?token=kx1M3q8cJ6Zp0aVtHn4rYw7sLd2fGb5uQe9iOjRmTzA`,
  admin_token: 'Wm8Tq2vYc5LxZ0nRb7KdJf3hPs6gAu9eQi1oXtMjN4w',
};

/** Answers of every start. */
export const START_ANSWERS: Operation['answers'] = {
  200: json('A session with this `tag` was running; it is answered.', 'answers.json#/$defs/created', CREATED),
  201: json('The session was started.', 'answers.json#/$defs/created', CREATED),
};

/** Errors of every start. */
export const START_ERRORS: readonly ErrorCode[] = [
  'invalid_body',
  'invalid_json',
  'unauthorized',
  'body_too_large',
  'unsupported_media_type',
  'tag_in_use',
  'webhook_refused',
  'region_unavailable',
  'profile_not_found',
  'profile_wrong_kind',
  'profile_damaged',
  'profile_too_large',
  'capacity',
  'start_failed',
  'profile_unavailable',
  'engine_unavailable',
  'stopping',
  'start_timeout',
];
