import type { CallErrorCode } from '../../protocol/call-errors.js';
import type { Call, Result } from '../../protocol/generated/schemas.js';

/** Handles a call and resolves with the result's value. */
export type CallHandler = (args: readonly unknown[], method: string) => unknown;

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

/** Dispatches the service's calls. */
export class Calls {
  readonly #handlers = new Map<string, CallHandler>();

  /** `files.drop` handles that method, `tabs.*` all with the prefix `tabs.`. */
  on(method: string, handler: CallHandler): void {
    this.#handlers.set(method, handler);
  }

  /** Carries out a call; never rejects. */
  async answer({ id, method, args }: Call): Promise<Result> {
    try {
      const handler = this.#handlers.get(method) ?? this.#handlers.get(method.replace(/\..*$/, '.*'));
      if (handler === undefined) throw new CallFailure('unknown_method', `There is no method ${method}.`);
      return { type: 'result', id, value: (await handler(args, method)) ?? null };
    } catch (error) {
      const code = error instanceof CallFailure ? error.code : 'internal';
      return { type: 'result', id, error: { code, message: error instanceof Error ? error.message : String(error) } };
    }
  }
}
