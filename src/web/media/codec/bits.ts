/** Reads the bits of an H.264 RBSP, after removing emulation prevention bytes. Returns zeros past the end. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(nal: Uint8Array) {
    this.#bytes = withoutEmulationPrevention(nal);
  }

  /** Reads an unsigned number of `count` bits, at most 32. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[this.#position >> 3] ?? 0;
      value = value * 2 + ((byte >> (7 - (this.#position & 7))) & 1);
      this.#position++;
    }
    return value;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  /** Reads an unsigned Exp-Golomb number. */
  ue(): number {
    let zeros = 0;
    while (zeros < 32 && this.#position < this.#bytes.length * 8 && !this.flag()) zeros++;
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** Reads a signed Exp-Golomb number. */
  se(): number {
    const value = this.ue();
    return value % 2 === 1 ? (value + 1) / 2 : -value / 2;
  }
}

function withoutEmulationPrevention(nal: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(nal.length);
  let length = 0;
  let zeros = 0;
  for (const byte of nal) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    bytes[length++] = byte;
  }
  return bytes.subarray(0, length);
}
