/** What a sequence parameter set of H.264 says that decoders depend on. */
export interface Sps {
  profile: number;
  level: number;
  chroma: number;
  pocType: number;
  /** Frames a decoder must hold back, undefined where it is not said. */
  reorderFrames: number | undefined;
  width: number;
  height: number;
}

class Bits {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.#at++) {
      value = value * 2 + (((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }

  /** An Exp-Golomb code. */
  golomb(): number {
    let zeros = 0;
    while (zeros < 32 && this.read(1) === 0) zeros++;
    return 2 ** zeros - 1 + this.read(zeros);
  }
}

/** NAL units of an Annex B access unit, without start codes. */
export function units(data: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const START = Buffer.of(0, 0, 1);
  for (let at = data.indexOf(START); at >= 0;) {
    const next = data.indexOf(START, at + 3);
    const end = next < 0 ? data.length : data[next - 1] === 0 ? next - 1 : next;
    found.push(data.subarray(at + 3, end));
    at = next;
  }
  return found;
}

/** Type of a NAL unit: 1 picture, 5 key picture, 7 SPS, 8 PPS. */
export const typeOf = (unit: Buffer) => (unit[0] ?? 0) & 31;

const withoutEscapes = (unit: Buffer) => {
  const bytes = [...unit];
  return Buffer.from(bytes.filter((byte, i) => !(byte === 3 && bytes[i - 1] === 0 && bytes[i - 2] === 0)));
};

/** Reads an SPS as x264 writes it: frames only, no scaling matrices, VUI with timing and no HRD. */
export function parseSps(unit: Buffer): Sps {
  const bits = new Bits(withoutEscapes(unit).subarray(1));
  const profile = bits.read(8);
  bits.read(8);
  const level = bits.read(8);
  bits.golomb();
  let chroma = 1;
  if (profile >= 100) {
    chroma = bits.golomb();
    if (chroma === 3) bits.read(1);
    bits.golomb();
    bits.golomb();
    bits.read(2);
  }
  bits.golomb();
  const pocType = bits.golomb();
  if (pocType === 0) bits.golomb();
  bits.golomb();
  bits.read(1);
  const columns = bits.golomb() + 1;
  const rows = bits.golomb() + 1;
  bits.read(2);
  const crop = bits.read(1) ? [bits.golomb(), bits.golomb(), bits.golomb(), bits.golomb()] : [0, 0, 0, 0];
  const unitSize = chroma === 3 ? 1 : 2;
  return {
    profile,
    level,
    chroma,
    pocType,
    width: columns * 16 - unitSize * ((crop[0] ?? 0) + (crop[1] ?? 0)),
    height: rows * 16 - unitSize * ((crop[2] ?? 0) + (crop[3] ?? 0)),
    reorderFrames: bits.read(1) ? reorderFrames(bits) : undefined,
  };
}

function reorderFrames(bits: Bits): number | undefined {
  if (bits.read(1) && bits.read(8) === 255) bits.read(32);
  if (bits.read(1)) bits.read(1);
  if (bits.read(1)) {
    bits.read(4);
    if (bits.read(1)) bits.read(24);
  }
  if (bits.read(1)) {
    bits.golomb();
    bits.golomb();
  }
  if (bits.read(1)) bits.read(65);
  bits.read(2);
  bits.read(1);
  if (!bits.read(1)) return undefined;
  bits.read(1);
  for (let i = 0; i < 4; i++) bits.golomb();
  return bits.golomb();
}
