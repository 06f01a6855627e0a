import type { Patch } from '../../../protocol/viewer-messages.js';

const CHANNELS = 4;
const OPAQUE = 0xff << 24;

/** Paints patches onto a canvas. Their pixels are written into memory that is used again: new memory is slow. */
export class PatchPainter {
  readonly #context: CanvasRenderingContext2D;
  #pixels = new Uint32Array();

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  /** Paints nothing if the runs do not make all of its pixels. Throws if there is no memory for them. */
  paint({ x, y, width, height, runs }: Patch): void {
    const count = width * height;
    if (this.#pixels.length < count) this.#pixels = new Uint32Array(count);
    if (!decodeRuns(runs, this.#pixels.subarray(0, count))) return;
    const bytes = new Uint8ClampedArray(this.#pixels.buffer, 0, count * CHANNELS);
    this.#context.putImageData(new ImageData(bytes, width, height), x, y);
  }
}

/** Writes runs of equal pixels (count in LEB128, red, green, blue); false if they are not exactly as many as wanted. */
export function decodeRuns(runs: Uint8Array, pixels: Uint32Array): boolean {
  let at = 0;
  let pixel = 0;
  const next = () => runs[at++] ?? 0;
  while (at < runs.length && pixel < pixels.length) {
    let count = 0;
    for (let shift = 0, more = true; more && shift < 28; shift += 7) {
      const byte = next();
      count |= (byte & 0x7f) << shift;
      more = byte > 0x7f;
    }
    const colour = OPAQUE | next() | (next() << 8) | (next() << 16);
    if (count === 0 || at > runs.length || count > pixels.length - pixel) return false;
    pixels.fill(colour, pixel, pixel + count);
    pixel += count;
  }
  return at === runs.length && pixel === pixels.length;
}
