import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import type { TokenBucket } from '../lib/token-bucket.js';
import type { AgentAnswer } from '../model/index.js';

/** What the handling of a piece of a body costs, however small it is, in bytes. */
const PIECE_BYTES = 4096;

/** An agent's answer, whose body is read no faster than the budget of its session allows. */
export class PacedAnswer extends Transform implements AgentAnswer {
  readonly statusCode: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly #budget: TokenBucket;
  #timer: NodeJS.Timeout | undefined;

  /** `budget`: in bytes. */
  constructor(answer: IncomingMessage, budget: TokenBucket) {
    super();
    this.statusCode = answer.statusCode;
    this.headers = answer.headers;
    this.#budget = budget;
    // A failure reaches the reader, if there is one.
    this.on('error', () => undefined);
    pipeline(answer, this, () => undefined);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const debt = this.#budget.spend(performance.now(), chunk.length + PIECE_BYTES);
    if (debt > 0) this.#timer = setTimeout(done, debt, null, chunk);
    else done(null, chunk);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    super._destroy(error, done);
  }
}
