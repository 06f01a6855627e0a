import type { BitReader } from './bits.js';

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

/** Reads video usability information. */
export function readVui(bits: BitReader): Vui {
  if (bits.bit() === 1 && bits.bits(8) === EXTENDED_SAR) bits.bits(32);
  // Overscan.
  if (bits.bit() === 1) bits.bit();
  // Colours.
  if (bits.bit() === 1) {
    bits.bits(4);
    if (bits.bit() === 1) bits.bits(24);
  }
  // Where the samples of chroma are.
  if (bits.bit() === 1) {
    bits.unsigned();
    bits.unsigned();
  }
  // Timing.
  if (bits.bit() === 1) bits.bits(65);
  const hasNal = bits.bit() === 1;
  if (hasNal) skipHrd(bits);
  const hasVcl = bits.bit() === 1;
  if (hasVcl) skipHrd(bits);
  if (hasNal || hasVcl) bits.bit();
  bits.bit();
  const restrictionAt = bits.at;
  if (bits.bit() === 0)
    return { restrictionAt, limits: undefined, reorderFrames: undefined, bufferedFrames: undefined };
  bits.bit();
  const limits = [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()] as const;
  return { restrictionAt, limits, reorderFrames: bits.unsigned(), bufferedFrames: bits.unsigned() };
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
