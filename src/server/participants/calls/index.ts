import { accessCalls } from './access.js';
import { androidCalls } from './android.js';
import type { SessionCall } from './call.js';
import { consoleCalls } from './console.js';
import { fileCalls } from './files.js';
import { tabCalls } from './tabs.js';

export type { CallContext, SessionCall } from './call.js';

/** All calls by method, shared by viewers' sockets and the REST interface. */
const CALLS: ReadonlyMap<string, SessionCall> = new Map([
  ...tabCalls,
  ...accessCalls,
  ...fileCalls,
  ...consoleCalls,
  ...androidCalls,
]);

export const callMethods: readonly string[] = [...CALLS.keys()];

/** The call of a method; undefined if there is none. */
export function findCall(method: string): SessionCall | undefined {
  return CALLS.get(method);
}
