/** Binary layouts: consecutive fields of fixed size, integers little-endian. */

/**
 * A field of fixed size. Reads and writes single bytes: a DataView for each message would cost more than the rest of
 * decoding it.
 */
export interface Field<T> {
  readonly name: 'u8' | 'u16' | 'u32' | 'u64' | 'i16' | 'bool';
  readonly bytes: number;
  /** Reads the value at an offset; undefined if the bytes are not a valid value. The bytes must be there. */
  read(bytes: Uint8Array, at: number): T | undefined;
  write(bytes: Uint8Array, at: number, value: T): void;
}

export type Fields = Readonly<Record<string, Field<never> | Field<number> | Field<bigint> | Field<boolean>>>;

/** The values of fields. */
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

const byteAt = (bytes: Uint8Array, at: number) => bytes[at] as number;

export const u8: Field<number> = {
  name: 'u8',
  bytes: 1,
  read: byteAt,
  write: (bytes, at, value) => void (bytes[at] = value),
};

export const u16: Field<number> = {
  name: 'u16',
  bytes: 2,
  read: (bytes, at) => byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8),
  write: (bytes, at, value) => {
    bytes[at] = value;
    bytes[at + 1] = value >> 8;
  },
};

export const u32: Field<number> = {
  name: 'u32',
  bytes: 4,
  read: (bytes, at) =>
    (byteAt(bytes, at) |
      (byteAt(bytes, at + 1) << 8) |
      (byteAt(bytes, at + 2) << 16) |
      (byteAt(bytes, at + 3) << 24)) >>>
    0,
  write: (bytes, at, value) => {
    for (let i = 0; i < 4; i++) bytes[at + i] = value >>> (8 * i);
  },
};

export const u64: Field<bigint> = {
  name: 'u64',
  bytes: 8,
  read: (bytes, at) => BigInt(u32.read(bytes, at) ?? 0) | (BigInt(u32.read(bytes, at + 4) ?? 0) << 32n),
  write: (bytes, at, value) => {
    u32.write(bytes, at, Number(value & 0xffff_ffffn));
    u32.write(bytes, at + 4, Number((value >> 32n) & 0xffff_ffffn));
  },
};

/** A signed integer; out-of-range values are clamped. */
export const i16: Field<number> = {
  name: 'i16',
  bytes: 2,
  read: (bytes, at) => ((byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8)) << 16) >> 16,
  write: (bytes, at, value) => u16.write(bytes, at, Math.min(32767, Math.max(-32768, value))),
};

/** A byte that is 0 or 1. */
export const bool: Field<boolean> = {
  name: 'bool',
  bytes: 1,
  read: (bytes, at) => [false, true][byteAt(bytes, at)],
  write: (bytes, at, value) => void (bytes[at] = value ? 1 : 0),
};

/** A field and its offset. */
export interface Placed {
  readonly name: string;
  readonly at: number;
  readonly field: Field<unknown>;
}

const NO_BODY = new Uint8Array();

/** Consecutive fields. */
export class Struct<F extends Fields> {
  readonly bytes: number;
  /** Offset of each field, counted from the start. */
  readonly layout: readonly Placed[];

  constructor(fields: F) {
    let at = 0;
    this.layout = Object.entries(fields as Readonly<Record<string, Field<unknown>>>).map(([name, field]) => {
      const placed = { name, at, field };
      at += field.bytes;
      return placed;
    });
    this.bytes = at;
  }

  /** Encodes values, followed by a body. */
  encode(values: Values<F>, body: Uint8Array = NO_BODY): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.bytes + body.length);
    this.write(bytes, 0, values);
    bytes.set(body, this.bytes);
    return bytes;
  }

  /** Encodes values into existing bytes, which must have room for them. */
  write(bytes: Uint8Array, start: number, values: Values<F>): void {
    for (const { name, at, field } of this.layout) field.write(bytes, start + at, values[name]);
  }

  /** Decodes the values at an offset; null if they are invalid, or the bytes too few. */
  decode(bytes: Uint8Array, start = 0): Values<F> | null {
    if (bytes.length < start + this.bytes) return null;
    const values: Record<string, unknown> = {};
    for (const { name, at, field } of this.layout) {
      const value = field.read(bytes, start + at);
      if (value === undefined) return null;
      values[name] = value;
    }
    return values as Values<F>;
  }
}

/** Size of a message's type, bytes. */
const TYPE_BYTES = 1;

/** A message: a type byte, its fields, and in some cases a body of any length. */
export class Message<F extends Fields> {
  /** Bytes of type and fields. */
  readonly bytes: number;
  readonly #fields: Struct<F>;

  /** `body`: the content after the fields; undefined if there is none. */
  constructor(
    readonly type: number,
    fields: F,
    readonly body?: string,
  ) {
    this.#fields = new Struct(fields);
    this.bytes = TYPE_BYTES + this.#fields.bytes;
  }

  /** Offset of each field, counted from the type. */
  get layout(): readonly Placed[] {
    return this.#fields.layout.map(({ at, ...rest }) => ({ ...rest, at: TYPE_BYTES + at }));
  }

  /** Encodes it, with a body if one is declared, after `before` zero bytes. */
  encode(values: Values<F>, before = 0, body: Uint8Array = NO_BODY): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(before + this.bytes + body.length);
    bytes[before] = this.type;
    this.#fields.write(bytes, before + TYPE_BYTES, values);
    bytes.set(body, before + this.bytes);
    return bytes;
  }

  /** Decodes it after `before` bytes; null if it is another message, or has an invalid size or value. */
  decode(bytes: Uint8Array, before = 0): Values<F> | null {
    const size = bytes.length - before;
    if (bytes[before] !== this.type || (this.body === undefined ? size !== this.bytes : size < this.bytes)) return null;
    return this.#fields.decode(bytes, before + TYPE_BYTES);
  }

  /** The body of a message that `decode` accepts: a view into it. */
  bodyOf<T extends Uint8Array>(bytes: T, before = 0): T {
    return bytes.subarray(before + this.bytes) as T;
  }
}
