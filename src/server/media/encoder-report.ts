import type { Logger } from 'pino';
import type { EncoderState } from '../../protocol/generated/schemas.js';
import { throttledLog } from '../lib/throttled-log.js';
import type { MediaMetrics } from './metrics.js';

/** Encoders that are counted by name. Containers could invent any number of others. */
const COUNTED = ['software', 'h264_vaapi', 'h264_nvenc'];

/** Longest name or reason that is logged, characters. */
const MAX_CHARS = 200;

const counted = (encoder: string) => (COUNTED.includes(encoder) ? encoder : 'other');

/** Logs and counts what encodes the picture of a session that was given a graphics card. */
export class EncoderReport {
  readonly #logEncoder: ReturnType<typeof throttledLog>;
  /** Of its own, since the card's encoder may end within a minute of its start. */
  readonly #logFallback: ReturnType<typeof throttledLog>;
  readonly #metrics: MediaMetrics;
  #last: EncoderState | undefined;

  constructor(log: Logger, metrics: MediaMetrics) {
    this.#logEncoder = throttledLog(log);
    this.#logFallback = throttledLog(log);
    this.#metrics = metrics;
  }

  /** The agent reports its encoder, on each link anew. */
  report(state: EncoderState): void {
    const { encoder, reason } = state;
    if (this.#last?.encoder === encoder && this.#last.reason === reason) return;
    this.forget();
    this.#last = state;
    this.#metrics.encoders(counted(encoder), 1);
    const fields = { encoder: encoder.slice(0, MAX_CHARS) };
    if (reason === undefined) this.#logEncoder('info', fields, 'encoder');
    else this.#logFallback('warn', { ...fields, reason: reason.slice(0, MAX_CHARS) }, 'encoder');
  }

  /** The session has ended. */
  forget(): void {
    if (this.#last !== undefined) this.#metrics.encoders(counted(this.#last.encoder), -1);
    this.#last = undefined;
  }
}
