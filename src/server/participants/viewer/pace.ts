import { TokenBucket } from '../../lib/token-bucket.js';

/** How long the event loop takes for a small message that is received or sent, about, ms. */
const MESSAGE_MS = 0.01;

/** Bytes that take as long again to send. */
const BYTES_AS_MESSAGE = 8192;

/** Largest share of the event loop for news of one kind to the viewers of one session. */
const SHARE = 0.1;

/** What it costs to send so many messages of this size, in small messages. */
export const costOf = (messages: number, bytes: number): number => messages * (1 + bytes / BYTES_AS_MESSAGE);

/**
 * Sends news of which the newest is enough: the first `burst` and one at once, then at most every `intervalMs`, and less
 * often where there are so many recipients that it would take more than a tenth of the event loop.
 */
export class Pace {
  readonly #intervalMs: number;
  readonly #send: () => number;
  readonly #atOnce: TokenBucket;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  /** `send` sends what is new, and returns what that cost; see `costOf`. */
  constructor(intervalMs: number, send: () => number, burst = 0) {
    this.#intervalMs = intervalMs;
    this.#send = send;
    this.#atOnce = new TokenBucket(1000 / intervalMs, burst);
  }

  /** Something is new; returns whether it was sent at once. */
  due(): boolean {
    this.#isDue = true;
    if (this.#timer !== undefined) return false;
    this.#run();
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#timer = undefined;
    if (!this.#isDue) return;
    this.#isDue = false;
    const rest = (this.#send() * MESSAGE_MS) / SHARE;
    const pause = Math.max(this.#atOnce.spend(performance.now(), 1), rest > this.#intervalMs ? rest : 0);
    if (pause > 0) this.#timer = setTimeout(() => this.#run(), pause).unref();
  }
}
