/** What a request does, and about what. */
export interface Act {
  event: string;
  [detail: string]: unknown;
}

const ID = '[A-Za-z0-9_-]{22}';

/** Requests by method and path; the groups of the expression are details. */
const ACTS: readonly (readonly [method: string, path: RegExp, event: string])[] = [
  ['POST', /^\/(?:v0\/vm|v0\/console|console)\/?$/, 'session.start'],
  ['GET', /^\/v0\/vm\/?$/, 'sessions.list'],
  ['GET', /^\/v0\/vm\/usage\/?$/, 'usage.read'],
  ['GET', new RegExp(`^/v0/vm/(?<session>${ID})/?$`), 'session.read'],
  ['DELETE', new RegExp(`^/v0/vm/(?<session>${ID})/?$`), 'session.end'],
  ['GET', new RegExp(`^/s/(?<session>${ID})/?$`), 'player.open'],
  ['GET', new RegExp(`^/s/(?<session>${ID})/users/?$`), 'users.list'],
  ['DELETE', new RegExp(`^/s/(?<session>${ID})/users/(?<user>[\\w-]{1,64})/?$`), 'user.disconnect'],
  ['GET', new RegExp(`^/s/(?<session>${ID})/screenshot/?$`), 'screenshot.read'],
  ['GET', new RegExp(`^/s/(?<session>${ID})/downloads/?$`), 'files.list'],
  ['GET', new RegExp(`^/s/(?<session>${ID})/downloads/(?<file>[\\w-]{1,64})/?$`), 'file.download'],
  ['POST', new RegExp(`^/s/(?<session>${ID})/uploads/[^/]+/?$`), 'file.upload'],
  ['POST', new RegExp(`^/s/(?<session>${ID})/bookmarks/?$`), 'bookmarks.add'],
  ['POST', new RegExp(`^/s/(?<session>${ID})/timeout/?$`), 'timeouts.change'],
  ['POST', new RegExp(`^/s/(?<session>${ID})/(?<call>[A-Za-z.]{1,64})/?$`), 'call'],
];

/** Calls that have an event of their own. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['addRoles', 'roles.add'],
  ['removeRoles', 'roles.remove'],
  ['setPermissions', 'permissions.change'],
  ['tokens', 'tokens.renew'],
]);

/** Those that keep a session alive change nothing, and come all the time. */
const QUIET: ReadonlySet<string> = new Set(['ping']);

/** What a call of this name does, whether it comes by HTTP or by the socket of a viewer. */
export const actOfCall = (call: string): Act =>
  CALLS.has(call) ? { event: CALLS.get(call) as string } : { event: 'call', call };

/** What is told of a call that was carried out: whom it changes how; of others, no arguments. */
export function detailsOf(call: string, args: unknown): Record<string, unknown> {
  const [first, second, third] = Array.isArray(args) ? (args as unknown[]) : [];
  if (call === 'addRoles' || call === 'removeRoles') return { users: first, roles: second, exclusive: third ?? false };
  return call === 'setPermissions' ? { users: [first], permissions: second } : {};
}

/** What a call of a viewer does, with what it changed where it came about; `code`: why it did not. */
export function viewerAct({ method, args }: { method: string; args: unknown }, code: string | undefined): Act {
  // What is no call could be any text.
  const act = code === 'unknown_method' ? { event: 'call' } : actOfCall(method);
  return code === undefined ? { ...act, ...detailsOf(method, args) } : act;
}

/** What a request does; null where that is nothing for the audit. */
export function actOf(method: string, path: string): Act | null {
  for (const [each, pattern, event] of ACTS) {
    const groups = each === method ? pattern.exec(path)?.groups ?? (pattern.test(path) ? {} : null) : null;
    if (groups === null) continue;
    const { call, ...details } = groups;
    if (call === undefined) return { ...details, event };
    return QUIET.has(call) ? null : { ...details, ...actOfCall(call) };
  }
  return null;
}
