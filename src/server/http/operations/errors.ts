import type { ErrorCode } from '../../model/index.js';

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
