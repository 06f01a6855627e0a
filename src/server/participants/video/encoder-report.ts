import type { Logger } from 'pino';
import type { EncoderState } from '../../../protocol/generated/schemas.js';
import type { HubMetrics } from '../types.js';

/** Encoders that are counted by name. Containers could invent any number of others. */
const COUNTED = ['software', 'h264_vaapi', 'h264_nvenc'];

const counted = (encoder: string) => (COUNTED.includes(encoder) ? encoder : 'other');

/** Logs and counts what encodes the picture of a session that was given a graphics card. */
export class EncoderReport {
  readonly #log: Logger;
  readonly #metrics: HubMetrics;
  #last: EncoderState | undefined;

  constructor(log: Logger, metrics: HubMetrics) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Takes what the agent says, which it repeats on each link. */
  take(state: EncoderState): void {
    const { encoder, reason } = state;
    if (this.#last?.encoder === encoder && this.#last.reason === reason) return;
    this.forget();
    this.#last = state;
    this.#metrics.encoders(counted(encoder), 1);
    if (reason === undefined) this.#log.info({ encoder }, 'encoder');
    else this.#log.warn({ encoder, reason }, 'encoder');
  }

  /** The session has ended. */
  forget(): void {
    if (this.#last !== undefined) this.#metrics.encoders(counted(this.#last.encoder), -1);
    this.#last = undefined;
  }
}
