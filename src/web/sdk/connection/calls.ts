import type { Result, ViewerCall } from '../../../protocol/generated/schemas.js';
import { CallError } from '../errors.js';

const LOST = 'The connection to the session was lost; try again when it is back.';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: CallError): void;
}

/** Calls to the session that wait for their results. */
export class Calls {
  readonly #send: (call: ViewerCall) => boolean;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /** @param send tells whether the call could be sent */
  constructor(send: (call: ViewerCall) => boolean) {
    this.#send = send;
  }

  /**
   * Asks for something; resolves with the result's value, null where it has none.
   * @throws CallError: the session's own, or `connection_lost`
   */
  call(method: string, args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#send({ type: 'call', id, method, args: [...args] })) return;
      this.#waiting.delete(id);
      reject(new CallError('connection_lost', LOST));
    });
  }

  /** Takes in a result; one that nobody waits for is ignored. */
  answered({ id, value, error }: Result): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value ?? null);
    else waiting?.reject(new CallError(error.code, error.message));
  }

  /** The connection is gone, and with it all answers. */
  abandon(): void {
    for (const { reject } of this.#waiting.values()) reject(new CallError('connection_lost', LOST));
    this.#waiting.clear();
  }
}
