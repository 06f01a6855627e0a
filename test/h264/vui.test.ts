import { readFileSync } from 'node:fs';
import t from 'tap';
import { BitWriter } from '../../src/h264/bits.js';
import { escaped, findNal, NalType, unescaped } from '../../src/h264/nal.js';
import { parseSps, type Sps } from '../../src/h264/sps.js';
import { readVui, withoutReordering } from '../../src/h264/vui.js';

const recorded = readFileSync(new URL('../fixtures/media/stream/wide.h264', import.meta.url));

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

/** What a parameter set says, with its VUI. */
function readAll(unit: Uint8Array) {
  const sps = parseSps(unit) as Sps;
  return { sps, vui: readVui(unit, sps) };
}

t.test('a parameter set that says that nothing is reordered stays as it is', async t => {
  const ofX264 = findNal(recorded, NalType.sps) as Uint8Array;
  const { sps, vui } = readAll(ofX264);
  t.equal(vui?.reorderFrames, 0);
  t.equal(withoutReordering(ofX264, sps), ofX264);
});

for (const [name, unit] of [
  ['without VUI', made({})],
  ['of the high profile, without VUI', made({ high: true })],
  ['with a VUI that restricts nothing', made({ vui: bits => usual(bits, null) })],
  ['of the high profile, with a VUI', made({ high: true, vui: bits => usual(bits, null) })],
  ['with more than no reordering', made({ vui: bits => usual(bits, [2, 1, 11, 12, 2, 4]) })],
] as const) {
  t.test(`a parameter set ${name} says afterwards that nothing is reordered`, async t => {
    const before = readAll(unit);
    t.match(before.sps, { width: 720, height: 1280 });
    const rewritten = withoutReordering(unit, before.sps);
    const after = readAll(rewritten);
    t.match(after, { sps: { width: 720, height: 1280, referenceFrames: 1 }, vui: { reorderFrames: 0 } });
    t.equal(after.vui?.bufferedFrames, before.vui?.bufferedFrames ?? 1);
    t.same(after.vui?.limits, before.vui?.limits ?? [0, 0, 16, 16]);
    const upTo = (before.vui?.restrictionAt ?? before.sps.vuiAt) >> 3;
    t.same(unescaped(rewritten).subarray(0, upTo), unescaped(unit).subarray(0, upTo), 'what is before stays');
    t.equal(withoutReordering(rewritten, after.sps), rewritten);
  });
}
