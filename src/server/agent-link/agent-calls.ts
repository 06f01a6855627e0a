import type { Call, Result } from '../../protocol/generated/schemas.js';
import { isCallErrorCode } from '../../protocol/call-errors.js';
import { CallError } from '../model/index.js';

/** How long an agent may take to answer a call, ms: longer than it waits for a browser that starts. */
const TIMEOUT_MS = 25_000;

/** Calls under way at most, per session. */
const MAX_CALLS = 200;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: CallError): void;
  timer: NodeJS.Timeout;
}

/** Calls to one session's agent that wait for their results. */
export class AgentCalls {
  readonly #send: (call: Call) => void;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(send: (call: Call) => void) {
    this.#send = send;
  }

  /**
   * Asks for something; resolves with the result's value.
   * @throws CallError: the agent's own, `agent_silent`, `agent_lost` or `too_many_calls`
   */
  call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#waiting.size >= MAX_CALLS) {
      return Promise.reject(new CallError('too_many_calls', 'The session is busy with other calls; try again.'));
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new CallError('agent_silent', 'The session did not answer in time.'));
      }, TIMEOUT_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#send({ type: 'call', id, method, args: [...args] });
    });
  }

  /** Takes in a result; one that nobody waits for is ignored. */
  answered({ id, value, error }: Result): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.resolve(value);
    else waiting.reject(new CallError(isCallErrorCode(error.code) ? error.code : 'agent_failed', error.message));
  }

  /** The link is gone, and with it all answers. */
  abandon(): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new CallError('agent_lost', 'The connection to the session was lost; try again.'));
    }
    this.#waiting.clear();
  }
}
