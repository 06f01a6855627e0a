import type { CallErrorCode } from '../../protocol/call-errors.js';
import type { AgentCallName, CallArguments, CallName, CallResult } from '../../protocol/calls.js';
import type { Call, Done, Result } from '../../protocol/generated/schemas.js';

/** What a handler of a call returns: anything where there is no result. */
type Returned<M extends AgentCallName> = M extends CallName
  ? CallResult<M> extends Done
    ? unknown
    : CallResult<M> | Promise<CallResult<M>>
  : unknown;

/** Handlers of the service's calls, by name. The service has validated the arguments. */
export type CallHandlers<M extends AgentCallName> = {
  readonly [Name in M]: (...args: CallArguments<Name>) => Returned<Name>;
};

/** An error that is returned to the caller. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';

  constructor(
    readonly code: CallErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Carries out a call of the service; never rejects. */
export async function answerCall(handlers: object, { id, method, args }: Call): Promise<Result> {
  try {
    if (!Object.hasOwn(handlers, method)) throw new CallFailure('unknown_method', `There is no method ${method}.`);
    const handler = handlers[method as keyof typeof handlers] as (...args: unknown[]) => unknown;
    return { type: 'result', id, value: (await handler(...args)) ?? null };
  } catch (error) {
    const code = error instanceof CallFailure ? error.code : 'internal';
    return { type: 'result', id, error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}
