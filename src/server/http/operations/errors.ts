import type { ErrorCode } from '../../model/index.js';

/** Errors of whatever a session's address answers to its admins. */
export const ADMIN_ERRORS: readonly ErrorCode[] = [
  'unauthorized',
  'admin_required',
  'session_not_found',
  'session_ended',
  'agent_lost',
];

/** Errors of what a session's agent is asked. */
export const AGENT_ERRORS: readonly ErrorCode[] = ['agent_failed', 'not_ready', 'agent_silent'];

/** Errors of what comes as JSON. */
export const JSON_ERRORS: readonly ErrorCode[] = [
  'invalid_body',
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
];
