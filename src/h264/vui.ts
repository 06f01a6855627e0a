import { BitReader, BitWriter } from './bits.js';
import { escaped, unescaped } from './nal.js';
import type { Sps } from './sps.js';

/** The part of a parameter set's video usability information that says how long decoders hold frames. */
export interface Vui {
  /** Bit at which bitstream_restriction_flag is. */
  readonly restrictionAt: number;
  /** The limits of bytes, bits and vectors; undefined if there is no restriction. */
  readonly limits: readonly [number, number, number, number] | undefined;
  readonly reorderFrames: number | undefined;
  readonly bufferedFrames: number | undefined;
}

const EXTENDED_SAR = 255;

/** Reads a parameter set's video usability information; undefined if it has none. @throws RangeError if it is cut off */
export function readVui(unit: Uint8Array, { vuiAt }: Sps): Vui | undefined {
  const bits = new BitReader(unescaped(unit), vuiAt);
  if (!bits.flag()) return undefined;
  if (bits.flag() && bits.bits(8) === EXTENDED_SAR) bits.bits(32);
  // Overscan.
  if (bits.flag()) bits.bit();
  // Colours.
  if (bits.flag()) {
    bits.bits(4);
    if (bits.flag()) bits.bits(24);
  }
  // Where the samples of chroma are.
  if (bits.flag()) {
    bits.unsigned();
    bits.unsigned();
  }
  // Timing.
  if (bits.flag()) bits.bits(65);
  const hasNal = bits.flag();
  if (hasNal) skipHrd(bits);
  const hasVcl = bits.flag();
  if (hasVcl) skipHrd(bits);
  if (hasNal || hasVcl) bits.bit();
  bits.bit();
  const restrictionAt = bits.at;
  if (!bits.flag()) return { restrictionAt, limits: undefined, reorderFrames: undefined, bufferedFrames: undefined };
  bits.bit();
  const limits = [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()] as const;
  return { restrictionAt, limits, reorderFrames: bits.unsigned(), bufferedFrames: bits.unsigned() };
}

/**
 * The parameter set with max_num_reorder_frames = 0, without which decoders may hold frames back; the same one if it
 * says so already. Encoders of screens never reorder frames. @throws RangeError if it is cut off
 */
export function withoutReordering(unit: Uint8Array, sps: Sps): Uint8Array {
  const vui = readVui(unit, sps);
  if (vui?.reorderFrames === 0) return unit;
  const source = new BitReader(unescaped(unit));
  const out = new BitWriter();
  if (vui === undefined) {
    out.copy(source, sps.vuiAt);
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
  out.unsigned(Math.max(vui?.bufferedFrames ?? 0, sps.referenceFrames));
  return escaped(out.finish());
}

/** A hypothetical reference decoder. */
function skipHrd(bits: BitReader): void {
  const count = bits.unsigned() + 1;
  bits.bits(8);
  for (let i = 0; i < count; i++) {
    bits.unsigned();
    bits.unsigned();
    bits.bit();
  }
  bits.bits(20);
}
