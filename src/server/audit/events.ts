/** What somebody does, and about what. */
export interface Act {
  event: string;
  [detail: string]: unknown;
}

/** Calls that have an event of their own. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ['addRoles', 'roles.add'],
  ['removeRoles', 'roles.remove'],
  ['setPermissions', 'permissions.change'],
]);

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
