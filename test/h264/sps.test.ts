import t from 'tap';
import { BitReader, BitWriter } from '../../src/h264/bits.js';
import { annexB, escaped, findNal, NalType, nalType, nalUnits, unescaped } from '../../src/h264/nal.js';
import { parseSps } from '../../src/h264/sps.js';
import { testFrame420, testFrame444 } from '../../src/web/media/video/test-frame.js';
import { recordedFrames } from '../fixtures/media/recorded-stream.js';

const spsOf = (unit: Uint8Array) => parseSps(findNal(unit, NalType.sps) ?? new Uint8Array());

t.test('an access unit is split at start codes of three and four bytes', async t => {
  const unit = Uint8Array.of(0, 0, 0, 1, 0x67, 1, 2, 0, 0, 1, 0x68, 3, 0, 0, 0, 1, 0x65, 4, 5);
  t.same(
    nalUnits(unit).map(nal => [...nal]),
    [
      [0x67, 1, 2],
      [0x68, 3],
      [0x65, 4, 5],
    ],
  );
  t.same(nalUnits(unit).map(nalType), [NalType.sps, NalType.pps, NalType.idr]);
  t.same(nalUnits(annexB(nalUnits(unit))), nalUnits(unit), 'and joined again');
  t.same(nalUnits(Uint8Array.of(1, 2, 3)), [], 'what has no start code has no units');
  t.same(nalUnits(new Uint8Array()), []);
});

t.test('codec, chroma and size are read from an SPS', async t => {
  t.match(spsOf(testFrame420()), { codec: 'avc1.4d400d', chroma: 1, bitDepth: 8, width: 320, height: 240 });
  t.match(spsOf(testFrame444()), { codec: 'avc1.f4000d', profile: 244, chroma: 3, width: 320, height: 240 });
});

t.test('the encoder rounds up to blocks of 16; the size is the picture’s before that', async t => {
  t.match(spsOf((await recordedFrames('wide'))[0] as Uint8Array), { width: 640, height: 360 });
  t.match(spsOf((await recordedFrames('small'))[0] as Uint8Array), { width: 322, height: 242 });
});

t.test('anything but an SPS is refused, and no bytes crash it', async t => {
  t.equal(parseSps(new Uint8Array()), null);
  t.equal(parseSps(Uint8Array.of(0x68, 1, 2, 3, 4, 5, 6, 7, 8, 9)), null);
  const bytes = Uint8Array.from(findNal(testFrame444(), NalType.sps) ?? []);
  for (let i = 1; i < bytes.length; i++) {
    for (const value of [0, 0xff, 0x80]) t.doesNotThrow(() => parseSps(Uint8Array.from(bytes).fill(value, i)));
    t.doesNotThrow(() => parseSps(bytes.subarray(0, i)));
  }
});

t.test('numbers are read as they were written', async t => {
  const bits = new BitWriter();
  const numbers = [0, 1, 2, 7, 8, 255, 65534, 2 ** 31];
  for (const number of numbers) bits.unsigned(number);
  const reader = new BitReader(bits.finish());
  t.same(
    numbers.map(() => reader.unsigned()),
    numbers,
  );
  t.throws(() => new BitReader(Uint8Array.of(0)).unsigned(), RangeError, 'what is cut off is no number');
});

t.test('bits are read without the bytes that escape start codes', async t => {
  const reader = new BitReader(unescaped(Uint8Array.of(0, 0, 3, 1, 0b10100110)));
  t.equal(reader.bits(24), 1);
  t.equal(reader.unsigned(), 0, '1');
  t.equal(reader.unsigned(), 1, '010');
  t.equal(reader.signed(), -1, '011');
  const content = Uint8Array.of(0x67, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 2);
  t.same(unescaped(escaped(content)), content);
  t.same(nalUnits(annexB([escaped(content)])), [escaped(content)], 'no start code is in what is escaped');
});
