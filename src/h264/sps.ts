import { BitReader } from './bits.js';
import { NalType, nalType, unescaped } from './nal.js';

/** What a sequence parameter set says. */
export interface Sps {
  readonly profile: number;
  /** Times ten. */
  readonly level: number;
  /** `avc1.PPCCLL`, as WebCodecs and MSE expect it. */
  readonly codec: string;
  /** How chroma is sampled: 1 is 4:2:0, 3 is 4:4:4. */
  readonly chroma: number;
  readonly bitDepth: number;
  readonly referenceFrames: number;
  /** Size of the picture after cropping, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Bit of the unescaped unit at which vui_parameters_present_flag is. */
  readonly vuiAt: number;
}

/** Profiles whose parameter sets say how colours are sampled. */
const WITH_CHROMA: ReadonlySet<number> = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]);

const HEADER_BITS = 8;
/** The longest side that viewers' decoders are given, in pixels. */
const MAX_SIDE = 8192;

/** Reads a sequence parameter set up to its VUI; null if it is none, is cut off, or has no possible size. */
export function parseSps(unit: Uint8Array): Sps | null {
  if (nalType(unit) !== NalType.sps) return null;
  try {
    const sps = readSps(unit);
    return [sps.width, sps.height].every(side => side > 0 && side <= MAX_SIDE) ? sps : null;
  } catch {
    return null;
  }
}

function readSps(unit: Uint8Array): Sps {
  const bits = new BitReader(unescaped(unit), HEADER_BITS);
  const [profile, constraints, level] = [bits.bits(8), bits.bits(8), bits.bits(8)];
  bits.unsigned();
  const { chroma, bitDepth } = WITH_CHROMA.has(profile) ? readChroma(bits) : { chroma: 1, bitDepth: 8 };
  bits.unsigned();
  skipOrder(bits);
  const referenceFrames = bits.unsigned();
  bits.bit();
  const columns = bits.unsigned() + 1;
  const rows = bits.unsigned() + 1;
  const fields = bits.flag() ? 1 : 2;
  if (fields === 2) bits.bit();
  bits.bit();
  const [left, right, top, bottom] = bits.flag() ? four(() => bits.unsigned()) : [0, 0, 0, 0];
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
  const unitY = (chroma === 1 ? 2 : 1) * fields;
  return {
    profile,
    level,
    codec: `avc1.${[profile, constraints, level].map(byte => byte.toString(16).padStart(2, '0')).join('')}`,
    chroma,
    bitDepth,
    referenceFrames,
    width: columns * 16 - unitX * (left + right),
    height: rows * 16 * fields - unitY * (top + bottom),
    vuiAt: bits.at,
  };
}

function readChroma(bits: BitReader): { chroma: number; bitDepth: number } {
  const chroma = bits.unsigned();
  if (chroma === 3) bits.bit();
  const bitDepth = bits.unsigned() + 8;
  bits.unsigned();
  bits.bit();
  if (bits.flag()) {
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list++) if (bits.flag()) skipScaling(bits, list < 6 ? 16 : 64);
  }
  return { chroma, bitDepth };
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
