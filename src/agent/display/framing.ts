import { envelope, framing } from '../../protocol/display-helper.js';

/** Largest message the helper may send: a 4096x4096 cursor or key frame stays well below. */
export const FRAME_MAX_BYTES = 32 << 20;

/** Shortest: the user's number and a type. */
const FRAME_MIN_BYTES = envelope.bytes + 1;

class FramingError extends Error {}

/**
 * Splits a stream of `length u32, frame` into frames. A frame within one chunk is a view of it; one that spans several
 * is copied once.
 */
export class FrameParser {
  readonly #onFrame: (frame: Buffer) => void;
  #parts: Buffer[] = [];
  #held = 0;
  #wanted = framing.bytes;
  #inHeader = true;

  constructor(onFrame: (frame: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  /** Consumes the next chunk. Throws on an invalid length. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      const missing = this.#wanted - this.#held;
      const part = rest.subarray(0, missing);
      this.#parts.push(part);
      this.#held += part.length;
      rest = rest.subarray(part.length);
      if (this.#held === this.#wanted) this.#complete();
    }
  }

  #complete(): void {
    const [first] = this.#parts;
    const whole = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    if (this.#inHeader) {
      this.#wanted = framing.decode(whole)?.length ?? 0;
      if (this.#wanted < FRAME_MIN_BYTES || this.#wanted > FRAME_MAX_BYTES) {
        throw new FramingError(`a frame of ${this.#wanted} bytes`);
      }
      this.#inHeader = false;
      return;
    }
    this.#inHeader = true;
    this.#wanted = framing.bytes;
    this.#onFrame(whole);
  }
}

/** Prepends the length to `user u32, message`. */
export const frame = (body: Uint8Array): Buffer => Buffer.from(framing.encode({ length: body.length }, body).buffer);
