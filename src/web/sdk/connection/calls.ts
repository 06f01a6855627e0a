import type { CallArguments, CallName, CallResult } from '../../../protocol/calls.js';
import { givenArguments } from '../../../protocol/make-call.js';
import type { Result, ViewerCall } from '../../../protocol/generated/schemas.js';
import { ENGLISH } from '../../languages/english.js';
import { CallError } from '../errors.js';

const LOST = ENGLISH.error_connection_lost;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: CallError): void;
}

/** Pending calls to the session. */
export class Calls {
  readonly #send: (call: ViewerCall) => boolean;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /** @param send returns whether the call could be sent */
  constructor(send: (call: ViewerCall) => boolean) {
    this.#send = send;
  }

  /**
   * Makes a call and resolves with the result's value, null if it has none.
   * @throws CallError: the session's own, or `connection_lost`
   */
  call<M extends CallName>(method: M, args: CallArguments<M>): Promise<CallResult<M>> {
    const id = ++this.#lastId;
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#send({ type: 'call', id, method, args: givenArguments(args) })) return;
      this.#waiting.delete(id);
      reject(new CallError('connection_lost', LOST));
    }) as Promise<CallResult<M>>;
  }

  /** Handles a result. Results that match no pending call are ignored. */
  answered({ id, value, error }: Result): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value ?? null);
    else waiting?.reject(new CallError(error.code, error.message));
  }

  /** Fails all pending calls, since the connection is gone. */
  abandon(): void {
    for (const { reject } of this.#waiting.values()) reject(new CallError('connection_lost', LOST));
    this.#waiting.clear();
  }
}
