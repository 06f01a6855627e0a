import type { Parameter } from '../operation.js';

/** The session in a path. */
export const SESSION_ID: Parameter = {
  name: 'session_id',
  in: 'path',
  required: true,
  description: 'ID of the session.',
  schema: 'start-common.json#/$defs/session_id',
};

export const PREFER: Parameter = {
  name: 'Prefer',
  in: 'header',
  description: '`handling=lenient`: unknown fields are ignored.',
  schema: { type: 'string' },
};

/** The session of the examples. */
export const EXAMPLE_ID = 'Vb1vXk0qT2mR8sYc3nLwQA';
