/** Reads bits and Exp-Golomb numbers. @throws RangeError at the end */
export class BitReader {
  readonly #bytes: Uint8Array;
  /** Number of bits read so far. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  bit(): number {
    const byte = this.#bytes[this.at >> 3];
    if (byte === undefined) throw new RangeError('The bits have ended.');
    return (byte >> (7 - (this.at++ & 7))) & 1;
  }

  flag(): boolean {
    return this.bit() === 1;
  }

  /** An unsigned number of `count` bits, at most 32; what is longer can only be skipped. */
  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 2 + this.bit();
    return value;
  }

  /** An unsigned number, ue(v). */
  unsigned(): number {
    let zeros = 0;
    while (!this.flag()) if (++zeros > 32) throw new RangeError('Not a number.');
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** A signed number, se(v). */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

/** Writes bits and Exp-Golomb numbers. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #count = 0;

  bit(value: number): void {
    if ((this.#count & 7) === 0) this.#bytes.push(0);
    const last = this.#bytes.length - 1;
    this.#bytes[last] = (this.#bytes[last] as number) | (value << (7 - (this.#count++ & 7)));
  }

  /** An unsigned number, ue(v). */
  unsigned(value: number): void {
    const text = (value + 1).toString(2);
    for (let i = 1; i < text.length; i++) this.bit(0);
    for (const digit of text) this.bit(Number(digit));
  }

  /** Copies the next `count` bits of a reader. */
  copy(from: BitReader, count: number): void {
    for (let i = 0; i < count; i++) this.bit(from.bit());
  }

  /** All bits, after a stop bit, up to a whole byte. */
  finish(): Uint8Array {
    this.bit(1);
    return Uint8Array.from(this.#bytes);
  }
}
