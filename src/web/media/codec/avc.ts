import { BitReader } from './bits.js';

export const NalType = { slice: 1, idr: 5, sps: 7, pps: 8 } as const;

/** The relevant fields of a sequence parameter set. */
export interface Sps {
  /** `avc1.PPCCLL`, as WebCodecs and MSE expect it. */
  codec: string;
  profile: number;
  /** 1 is 4:2:0, 3 is 4:4:4. */
  chroma: number;
  bitDepth: number;
  /** Size of the picture in pixels, after cropping. */
  width: number;
  height: number;
}

/** Splits an Annex B access unit into its NAL units, without start codes. */
export function splitNals(unit: Uint8Array): Uint8Array[] {
  const nals: Uint8Array[] = [];
  let start = -1;
  let end = 0;
  for (let i = 0; i + 2 < unit.length; i++) {
    if (unit[i] !== 0 || unit[i + 1] !== 0 || unit[i + 2] !== 1) continue;
    if (start >= 0) nals.push(trimZeros(unit.subarray(start, i)));
    start = i + 3;
    i += 2;
    end = start;
  }
  if (start >= 0) nals.push(trimZeros(unit.subarray(end)));
  return nals.filter(nal => nal.length > 0);
}

export const nalType = (nal: Uint8Array) => (nal[0] ?? 0) & 0x1f;

/** Finds the first NAL unit of a type without splitting what follows it. */
export function findNal(unit: Uint8Array, type: number): Uint8Array | null {
  return splitNals(unit.subarray(0, 4096)).find(nal => nalType(nal) === type) ?? null;
}

/** Parses a sequence parameter set; null if a decoder could not use it. */
export function parseSps(nal: Uint8Array): Sps | null {
  if (nal.length < 8 || nalType(nal) !== NalType.sps) return null;
  const profile = nal[1] ?? 0;
  const codec = `avc1.${[...nal.subarray(1, 4)].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
  const reader = new BitReader(nal.subarray(4));
  reader.ue();
  const { chroma, separate, bitDepth } = HIGH_PROFILES.has(profile)
    ? parseChroma(reader)
    : { chroma: 1, separate: false, bitDepth: 8 };
  reader.ue();
  skipPictureOrder(reader);
  reader.ue();
  reader.bits(1);
  const macroblocksWide = reader.ue() + 1;
  const mapUnitsHigh = reader.ue() + 1;
  const frameOnly = reader.flag();
  if (!frameOnly) reader.bits(1);
  reader.bits(1);
  const size = {
    width: macroblocksWide * 16,
    height: mapUnitsHigh * 16 * (frameOnly ? 1 : 2),
  };
  if (reader.flag()) {
    const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
    const unitY = (chroma === 1 ? 2 : 1) * (frameOnly ? 1 : 2);
    size.width -= (reader.ue() + reader.ue()) * (separate ? 1 : unitX);
    size.height -= (reader.ue() + reader.ue()) * (separate ? 1 : unitY);
  }
  const possible = size.width > 0 && size.height > 0 && size.width <= 8192 && size.height <= 8192;
  return possible ? { codec, profile, chroma, bitDepth, ...size } : null;
}

const HIGH_PROFILES = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

function parseChroma(reader: BitReader) {
  const chroma = reader.ue();
  const separate = chroma === 3 && reader.flag();
  const bitDepth = reader.ue() + 8;
  reader.ue();
  reader.bits(1);
  if (reader.flag()) {
    for (let i = 0; i < (chroma === 3 ? 12 : 8); i++) {
      if (reader.flag()) skipScalingList(reader, i < 6 ? 16 : 64);
    }
  }
  return { chroma, separate, bitDepth };
}

function skipScalingList(reader: BitReader, size: number): void {
  let last = 8;
  let next = 8;
  for (let i = 0; i < size; i++) {
    if (next !== 0) next = (last + reader.se() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

function skipPictureOrder(reader: BitReader): void {
  const type = reader.ue();
  if (type === 0) reader.ue();
  if (type !== 1) return;
  reader.bits(1);
  reader.se();
  reader.se();
  const cycle = Math.min(255, reader.ue());
  for (let i = 0; i < cycle; i++) reader.se();
}

function trimZeros(nal: Uint8Array): Uint8Array {
  let length = nal.length;
  while (length > 0 && nal[length - 1] === 0) length--;
  return nal.subarray(0, length);
}
