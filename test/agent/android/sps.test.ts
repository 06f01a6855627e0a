import { readFileSync } from 'node:fs';
import t from 'tap';
import { BitReader, BitWriter } from '../../../src/agent/android/video/bits.js';
import { annexB, escaped, NalType, nalType, nalUnits, unescaped } from '../../../src/agent/android/video/nal.js';
import { parameterSets } from '../../../src/agent/android/video/parameter-sets.js';
import { readSps, withoutReordering } from '../../../src/agent/android/video/sps.js';

const recorded = readFileSync(new URL('../../fixtures/stream/wide.h264', import.meta.url));
const ofX264 = nalUnits(recorded).find(unit => nalType(unit) === NalType.sps) ?? Buffer.alloc(0);

/** An SPS of the baseline or high profile with a VUI of these bits, as encoders of Android write it: 720x1280. */
function made({ high = false, vui }: { high?: boolean; vui?: (bits: BitWriter) => void }): Uint8Array {
  const bits = new BitWriter();
  for (const byte of [0x67, high ? 100 : 66, 0, 31]) for (let i = 7; i >= 0; i--) bits.bit((byte >> i) & 1);
  bits.unsigned(0);
  if (high) {
    for (const value of [1, 0, 0]) bits.unsigned(value);
    bits.bit(0);
    // A scaling matrix whose first list has its own values, the others none.
    bits.bit(1);
    bits.bit(1);
    for (let i = 0; i < 16; i++) bits.unsigned(i === 0 ? 1 : 0);
    for (let i = 0; i < 7; i++) bits.bit(0);
  }
  for (const value of [0, 0, 2, 1]) bits.unsigned(value);
  bits.bit(0);
  bits.unsigned(720 / 16 - 1);
  bits.unsigned(1280 / 16 - 1);
  for (const flag of [1, 1, 0]) bits.bit(flag);
  bits.bit(vui ? 1 : 0);
  vui?.(bits);
  return escaped(bits.finish());
}

/** A VUI with colours, timing and an HRD, as Qualcomm's and Google's encoders have it. */
function usual(bits: BitWriter, restriction: readonly number[] | null): void {
  const number = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.bit(Math.floor(value / 2 ** i) % 2);
  };
  bits.bit(0);
  bits.bit(0);
  number(0b1_101_0_1, 6);
  number(0x010101, 24);
  bits.bit(0);
  bits.bit(1);
  number(1, 32);
  number(60, 32);
  bits.bit(1);
  bits.bit(1);
  bits.unsigned(0);
  number(0, 8);
  bits.unsigned(1000);
  bits.unsigned(1000);
  bits.bit(0);
  number(0, 20);
  for (const flag of [0, 0, 0]) bits.bit(flag);
  bits.bit(restriction === null ? 0 : 1);
  if (restriction === null) return;
  bits.bit(1);
  for (const value of restriction) bits.unsigned(value);
}

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

t.test('units are split at start codes of three and four bytes, and escaped', async t => {
  const units = [Uint8Array.of(0x67, 1, 2), Uint8Array.of(0x68, 3), Uint8Array.of(0x65, 4)];
  t.same(nalUnits(annexB(units)), units);
  t.same(nalUnits(Uint8Array.of(0, 0, 1, 0x67, 9, 0, 0, 1, 0x68, 8)), [Uint8Array.of(0x67, 9), Uint8Array.of(0x68, 8)]);
  const content = Uint8Array.of(0x67, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 2);
  t.same(unescaped(escaped(content)), content);
  t.equal(nalUnits(annexB([escaped(content)])).length, 1);
});

t.test('a parameter set that says that nothing is reordered stays as it is', async t => {
  t.equal(readSps(ofX264).vui?.reorderFrames, 0);
  t.equal(withoutReordering(ofX264), ofX264);
});

for (const [name, sps] of [
  ['without VUI', made({})],
  ['of the high profile, without VUI', made({ high: true })],
  ['with a VUI that restricts nothing', made({ vui: bits => usual(bits, null) })],
  ['of the high profile, with a VUI', made({ high: true, vui: bits => usual(bits, null) })],
  ['with more than no reordering', made({ vui: bits => usual(bits, [2, 1, 11, 12, 2, 4]) })],
] as const) {
  t.test(`a parameter set ${name} says afterwards that nothing is reordered`, async t => {
    const before = readSps(sps);
    t.match(before, { width: 720, height: 1280 });
    const rewritten = withoutReordering(sps);
    const after = readSps(rewritten);
    t.match(after, { width: 720, height: 1280, referenceFrames: 1, vui: { reorderFrames: 0 } });
    t.equal(after.vui?.bufferedFrames, before.vui?.bufferedFrames ?? 1);
    t.same(after.vui?.limits, before.vui?.limits ?? [0, 0, 16, 16]);
    const upTo = (before.vui?.restrictionAt ?? before.vuiAt) >> 3;
    t.same(unescaped(rewritten).subarray(0, upTo), unescaped(sps).subarray(0, upTo), 'what is before stays');
    t.equal(withoutReordering(rewritten), rewritten);
  });
}

t.test('the parameter sets of a configuration packet', async t => {
  const pps = Uint8Array.of(0x68, 0xce, 0x38, 0x80);
  const sets = parameterSets(annexB([made({}), pps]));
  t.match(sets, { width: 720, height: 1280 });
  t.same(
    nalUnits(sets?.bytes ?? Buffer.alloc(0)).map(nalType),
    [NalType.sps, NalType.pps],
    'the picture parameter set follows',
  );
  t.equal(parameterSets(annexB([pps])), null);
  t.equal(parameterSets(annexB([made({}).subarray(0, 6), pps])), null, 'one that is cut off is none');
});
