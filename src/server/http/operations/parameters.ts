import type { Parameter } from '../table/description.js';

/** The session in a path. */
export const SESSION_ID: Parameter = {
  name: 'session_id',
  in: 'path',
  required: true,
  description: 'ID of the session.',
  schema: 'start-common.json#/$defs/session_id',
};

/** Of all operations that honour it. */
export const PREFER: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: '`handling=lenient`: unknown fields are ignored, which `Preference-Applied` in the answer confirms.',
  schema: { type: 'string' },
};

/** The session for examples. */
export const EXAMPLE_ID = 'Vb1vXk0qT2mR8sYc3nLwQA';

/** The same as the answer to a start. */
export const CREATED = {
  session_id: EXAMPLE_ID,
  embed_url: `https://berth.example.com/s/${EXAMPLE_ID}?token=kx1M3q8cJ6Zp0aVtHn4rYw7sLd2fGb5uQe9iOjRmTzA`,
  admin_token: 'Wm8Tq2vYc5LxZ0nRb7KdJf3hPs6gAu9eQi1oXtMjN4w',
};
