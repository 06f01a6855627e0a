import type { AgentCallName, CallArguments } from '../../protocol/calls.js';
import type { Call, Result } from '../../protocol/generated/schemas.js';
import { isCallErrorCode } from '../../protocol/call-errors.js';
import { CallError } from '../model/index.js';

/** How long an agent may take to answer a call, ms: longer than the agent itself waits for a starting browser. */
const TIMEOUT_MS = 25_000;

/** Maximum number of concurrent calls per session. */
const MAX_CALLS = 200;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: CallError): void;
  timer: NodeJS.Timeout;
}

/** Pending calls to one session's agent. */
export class AgentCalls {
  readonly #send: (call: Call) => void;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(send: (call: Call) => void) {
    this.#send = send;
  }

  /**
   * Makes a call and resolves with the result's value, which may be anything: agents are not trusted.
   * @throws CallError: the agent's own, `agent_silent`, `agent_lost` or `too_many_calls`
   */
  call<M extends AgentCallName>(method: M, args: CallArguments<M>): Promise<unknown> {
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

  /** Handles a result. Results that match no pending call are ignored. */
  answered({ id, value, error }: Result): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error === undefined) waiting.resolve(value);
    else waiting.reject(new CallError(isCallErrorCode(error.code) ? error.code : 'agent_failed', error.message));
  }

  /** Fails all pending calls, since the link is gone. */
  abandon(): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new CallError('agent_lost', 'The connection to the session was lost; try again.'));
    }
    this.#waiting.clear();
  }
}
