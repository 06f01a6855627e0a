import type { Actor } from './actor.js';

/** An action that somebody performed or attempted. Never contains a secret, a page address or a file name. */
export interface AuditEvent {
  /** The action, such as `session.start`; docs/reference/logs-and-metrics.md lists them. */
  event: string;
  result: 'ok' | 'refused' | 'failed';
  actor: Actor;
  session?: string | undefined;
  /** The caller's address, as far as proxies are trusted. */
  ip?: string | undefined;
  /** ID of the HTTP request, as in the log and in `x-request-id`. */
  request?: string | undefined;
  /** Error code, if the action failed. */
  code?: string | undefined;
  [detail: string]: unknown;
}

/** The name of an event, and what it is about. */
export interface AuditAction {
  event: string;
  [detail: string]: unknown;
}

/** Calls that have their own event. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['addRoles', 'roles.add'],
  ['removeRoles', 'roles.remove'],
  ['setPermissions', 'permissions.change'],
  ['disconnectUser', 'user.disconnect'],
  ['enablePrivacyMode', 'privacy.enable'],
  ['disablePrivacyMode', 'privacy.disable'],
]);

/** Maps a call name to its event, whether it came over HTTP or a viewer's socket. */
export const actionOfCall = (call: string): AuditAction =>
  CALLS.has(call) ? { event: CALLS.get(call) as string } : { event: 'call', call };

/** Details recorded for a successful call: who is affected and how. Other calls' arguments are not recorded. */
export function detailsOf(call: string, args: unknown): Record<string, unknown> {
  const [first, second, third] = Array.isArray(args) ? (args as unknown[]) : [];
  if (call === 'addRoles' || call === 'removeRoles') return { users: first, roles: second, exclusive: third ?? false };
  if (call === 'disconnectUser' || call === 'enablePrivacyMode') return { users: [first] };
  return call === 'setPermissions' ? { users: [first], permissions: second } : {};
}

/** The event for a viewer's call, with what it changed if it succeeded; `code`: why it failed. */
export function viewerAct({ method, args }: { method: string; args: unknown }, code: string | undefined): AuditAction {
  // An unknown call name could be any text.
  const act = code === 'unknown_method' ? { event: 'call' } : actionOfCall(method);
  return code === undefined ? { ...act, ...detailsOf(method, args) } : act;
}

/** Codes of errors that mean a lack of permission. */
const REFUSALS: ReadonlySet<string> = new Set([
  'admin_required',
  'role_required',
  'control_taken',
  'privacy_mode',
  'webhook_denied',
  'admin_token_invalid',
  'too_many_calls',
]);

/** The result of what a viewer did; `code`: why it failed. */
export function resultOfAct(code: string | undefined): 'ok' | 'refused' | 'failed' {
  if (code === undefined) return 'ok';
  return REFUSALS.has(code) ? 'refused' : 'failed';
}
