import type { CallArguments, CallName, CallResult } from './calls.js';

/** Makes a call to a session. */
export type MakeCall<Name extends CallName = CallName> = <M extends Name>(
  method: M,
  args: CallArguments<M>,
) => Promise<CallResult<M>>;

/** The arguments to send, without omitted ones at the end. */
export function givenArguments(args: readonly unknown[]): unknown[] {
  return args.slice(0, args.findLastIndex(arg => arg !== undefined) + 1);
}
