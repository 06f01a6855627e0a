import { decode } from 'fast-png';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { writePng } from '../../../src/agent/screenshot/png.js';

/** Rows that differ everywhere. */
const picture = (width: number, height: number) =>
  Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => (at * 7 + (at >> 5)) & 0xff));

async function encode(width: number, height: number, pieces: Buffer[]): Promise<Uint8Array> {
  const output = new PassThrough();
  const [bytes] = await Promise.all([buffer(output), writePng(width, height, Readable.from(pieces), output)]);
  return bytes;
}

t.test('a picture in several pieces is encoded losslessly', async t => {
  const [width, height] = [37, 11];
  const pixels = picture(width, height);
  const cut = 4 * width * 3;
  const png = decode(await encode(width, height, [pixels.subarray(0, cut), pixels.subarray(cut)]), { checkCrc: true });
  t.same([png.width, png.height, png.channels, png.depth], [width, height, 3, 8]);
  t.same(Buffer.from(png.data as Uint8Array), pixels);
});

t.test('a truncated picture is an error, not a file', async t => {
  const rows = new Readable({ read: () => undefined });
  rows.push(picture(8, 1));
  const written = writePng(8, 2, rows, new PassThrough().resume());
  rows.destroy(new Error('the helper died'));
  await t.rejects(written, { message: 'the helper died' });
});
