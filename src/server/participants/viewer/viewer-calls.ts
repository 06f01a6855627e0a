import type { Logger } from 'pino';
import type { Result, ViewerCall } from '../../../protocol/generated/schemas.js';
import { CallError } from '../../model/index.js';
import type { Viewer } from './viewer.js';

/** Maximum number of concurrent calls per viewer, so that it leaves room for others. */
const MAX_CALLS = 32;

/** Carries out calls of viewers. */
export class ViewerCalls {
  readonly #perform: (viewer: Viewer, call: ViewerCall) => Promise<unknown>;
  readonly #log: Logger;
  readonly #answered: (viewer: Viewer, call: ViewerCall, code: string | undefined) => void;
  readonly #underWay = new WeakMap<Viewer, number>();

  /** `answered` is called for each, with its error code if it failed. */
  constructor(
    perform: (viewer: Viewer, call: ViewerCall) => Promise<unknown>,
    log: Logger,
    answered: (viewer: Viewer, call: ViewerCall, code: string | undefined) => void,
  ) {
    this.#perform = perform;
    this.#log = log;
    this.#answered = answered;
  }

  async answer(viewer: Viewer, call: ViewerCall): Promise<void> {
    const count = this.#underWay.get(viewer) ?? 0;
    this.#underWay.set(viewer, count + 1);
    const result = await this.#result(viewer, call, count);
    this.#underWay.set(viewer, (this.#underWay.get(viewer) ?? 1) - 1);
    this.#answered(viewer, call, result.error?.code);
    viewer.tell({ type: 'result', id: call.id, ...result });
  }

  async #result(viewer: Viewer, call: ViewerCall, count: number): Promise<Pick<Result, 'value' | 'error'>> {
    try {
      if (count >= MAX_CALLS) throw new CallError('too_many_calls', 'Too many calls at once; wait for their results.');
      return { value: (await this.#perform(viewer, call)) ?? null };
    } catch (error) {
      if (error instanceof CallError) return { error: { code: error.code, message: error.message } };
      this.#log.error({ err: error, method: call.method }, 'call failed');
      return { error: { code: 'internal', message: 'Internal error; see the log of the service.' } };
    }
  }
}
