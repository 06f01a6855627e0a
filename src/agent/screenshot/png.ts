import { crc32, createDeflate } from 'node:zlib';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
const RGB = 2;
const BYTES_PER_PIXEL = 3;

/** Each row is stored as the difference to the row above. */
const FILTER_UP = 2;

/** Above this level, screenshots hardly get smaller. */
const LEVEL = 5;

/**
 * Encodes an image as PNG while its rows arrive. Compression runs in zlib's thread pool, which JavaScript encoders do
 * not use, so that the video stream is not blocked.
 */
export function writePng(width: number, height: number, rows: Readable, output: Writable): Promise<void> {
  return pipeline(
    rows,
    (source: AsyncIterable<Buffer>) => filtered(width * BYTES_PER_PIXEL, source),
    createDeflate({ level: LEVEL }),
    (source: AsyncIterable<Buffer>) => file(width, height, source),
    output,
  );
}

/** @param source whole rows */
async function* filtered(rowBytes: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let above: Uint8Array = new Uint8Array(rowBytes);
  for await (const piece of source) {
    const count = piece.length / rowBytes;
    const lines = Buffer.allocUnsafe(count * (1 + rowBytes));
    for (let row = 0; row < count; row++) {
      const pixels = piece.subarray(row * rowBytes, (row + 1) * rowBytes);
      subtract(lines.subarray(row * (1 + rowBytes), (row + 1) * (1 + rowBytes)), pixels, above);
      above = pixels;
    }
    yield lines;
  }
}

function subtract(line: Uint8Array, pixels: Uint8Array, above: Uint8Array): void {
  line[0] = FILTER_UP;
  for (let at = 0; at < pixels.length; at++) line[at + 1] = (pixels[at] as number) - (above[at] as number);
}

async function* file(width: number, height: number, compressed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, RGB], 8);
  yield SIGNATURE;
  yield chunk('IHDR', header);
  for await (const data of compressed) yield chunk('IDAT', data);
  yield chunk('IEND', Buffer.alloc(0));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(4 + named.length + 4);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), 4 + named.length);
  return whole;
}
