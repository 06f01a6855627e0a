import { BitReader, BitWriter } from './bits.js';
import { escaped, unescaped } from './nal.js';
import { readVui, type Vui } from './vui.js';

/** What a sequence parameter set says. */
export interface Sps {
  /** Size of the picture after cropping, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly referenceFrames: number;
  /** Bit at which vui_parameters_present_flag is. */
  readonly vuiAt: number;
  readonly vui: Vui | undefined;
}

/** Profiles whose parameter sets say how colours are sampled. */
const WITH_CHROMA: ReadonlySet<number> = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]);

const HEADER_BITS = 8;

/** Reads a sequence parameter set. @throws RangeError if it is cut off */
export function readSps(unit: Uint8Array): Sps {
  const bits = new BitReader(unescaped(unit));
  bits.bits(HEADER_BITS);
  const profile = bits.bits(8);
  bits.bits(16);
  bits.unsigned();
  const chroma = WITH_CHROMA.has(profile) ? readChroma(bits) : { format: 1, planes: false };
  bits.unsigned();
  skipOrder(bits);
  const referenceFrames = bits.unsigned();
  bits.bit();
  const columns = bits.unsigned() + 1;
  const rows = bits.unsigned() + 1;
  const isFrames = bits.bit();
  if (isFrames === 0) bits.bit();
  bits.bit();
  const [left, right, top, bottom] = bits.bit() === 1 ? four(() => bits.unsigned()) : [0, 0, 0, 0];
  const unitX = chroma.format === 1 || chroma.format === 2 ? 2 : 1;
  const unitY = (chroma.format === 1 ? 2 : 1) * (2 - isFrames);
  const vuiAt = bits.at;
  return {
    width: columns * 16 - unitX * (left + right),
    height: rows * 16 * (2 - isFrames) - unitY * (top + bottom),
    referenceFrames,
    vuiAt,
    vui: bits.bit() === 1 ? readVui(bits) : undefined,
  };
}

/**
 * The parameter set with max_num_reorder_frames = 0, without which decoders may hold frames back; the same one if it
 * says so already. Encoders of screens never reorder frames.
 */
export function withoutReordering(unit: Uint8Array, { vui, vuiAt, referenceFrames } = readSps(unit)): Uint8Array {
  if (vui?.reorderFrames === 0) return unit;
  const source = new BitReader(unescaped(unit));
  const out = new BitWriter();
  if (vui === undefined) {
    out.copy(source, vuiAt);
    out.bit(1);
    // None of what is optional: aspect, overscan, colours, chroma, timing, two HRDs, and structure.
    for (let i = 0; i < 8; i++) out.bit(0);
  } else {
    out.copy(source, vui.restrictionAt);
  }
  out.bit(1);
  out.bit(1);
  const [bytesPerPicture, bitsPerBlock, horizontal, vertical] = vui?.limits ?? [0, 0, 16, 16];
  for (const limit of [bytesPerPicture, bitsPerBlock, horizontal, vertical, 0]) out.unsigned(limit);
  out.unsigned(Math.max(vui?.bufferedFrames ?? 0, referenceFrames));
  return escaped(out.finish());
}

function readChroma(bits: BitReader): { format: number; planes: boolean } {
  const format = bits.unsigned();
  const planes = format === 3 && bits.bit() === 1;
  bits.unsigned();
  bits.unsigned();
  bits.bit();
  if (bits.bit() === 1) {
    for (let list = 0; list < (format === 3 ? 12 : 8); list++)
      if (bits.bit() === 1) skipScaling(bits, list < 6 ? 16 : 64);
  }
  return { format: planes ? 0 : format, planes };
}

function skipScaling(bits: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256;
    if (next !== 0) last = next;
  }
}

/** How the order of pictures is counted. */
function skipOrder(bits: BitReader): void {
  const type = bits.unsigned();
  if (type === 0) bits.unsigned();
  if (type !== 1) return;
  bits.bit();
  bits.signed();
  bits.signed();
  const count = bits.unsigned();
  for (let i = 0; i < count; i++) bits.signed();
}

const four = (read: () => number): [number, number, number, number] => [read(), read(), read(), read()];
