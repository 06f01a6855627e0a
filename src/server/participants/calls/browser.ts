import { CallError, kindOf, type KindName } from '../../model/index.js';
import { sessionCall, type CallContext, type Need, type SessionCall } from './call.js';

/** @throws CallError if the session is not a browser */
export function requireBrowser(kind: KindName): void {
  if (kindOf(kind).calls !== 'browser') throw new CallError('not_a_browser', 'This session is not a browser.');
}

/** A call that a browser's agent answers. */
export function browserCall<T extends unknown[]>(
  method: string,
  schema: string,
  needs: Need,
): [method: string, call: SessionCall] {
  const run = (context: CallContext, args: T) => {
    requireBrowser(context.kind);
    return context.agent(method, args);
  };
  return [method, sessionCall<T>({ schema: `session-calls.json#/$defs/${schema}`, needs, run })];
}
