import fc from 'fast-check';
import t from 'tap';
import { frame, FrameParser } from '../../../src/agent/display/framing.js';

/** Feeds `stream` in chunks of these sizes; gives the frames. */
function parse(stream: Buffer, sizes: readonly number[]): Buffer[] {
  const frames: Buffer[] = [];
  const parser = new FrameParser(found => frames.push(Buffer.from(found)));
  let at = 0;
  for (const size of sizes) {
    parser.push(stream.subarray(at, at + size));
    at += size;
  }
  parser.push(stream.subarray(at));
  return frames;
}

t.test('frames come out as they went in, however the stream is split', async t => {
  const bodies = fc.array(fc.uint8Array({ minLength: 5, maxLength: 300 }), { maxLength: 20 });
  const cuts = fc.array(fc.nat(200), { maxLength: 50 });
  fc.assert(
    fc.property(bodies, cuts, (wanted, sizes) => {
      t.equal(
        Buffer.concat(parse(Buffer.concat(wanted.map(frame)), sizes).map(frame)).compare(
          Buffer.concat(wanted.map(frame)),
        ),
        0,
      );
    }),
    { numRuns: 50 },
  );
});

t.test('a frame within one chunk is not copied', async t => {
  const chunk = frame(Buffer.from('12345'));
  const parser = new FrameParser(found => t.equal(found.buffer, chunk.buffer));
  t.plan(1);
  parser.push(chunk);
});

t.test('an impossible length is an error', async t => {
  for (const length of [0, 4, 0xffffffff]) {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(length);
    t.throws(() => new FrameParser(() => undefined).push(header), /a frame of \d+ bytes/);
  }
});
