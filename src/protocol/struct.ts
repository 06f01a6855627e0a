/** Binary layouts: consecutive fields of fixed size, integers little-endian. */

/** A field of fixed size. */
export interface Field<T> {
  readonly name: 'u8' | 'u16' | 'u32' | 'u64' | 'i16' | 'bool';
  readonly bytes: number;
  /** Reads the value at an offset; undefined if the bytes are not a valid value. */
  read(view: DataView, at: number): T | undefined;
  write(view: DataView, at: number, value: T): void;
}

export type Fields = Readonly<Record<string, Field<never> | Field<number> | Field<bigint> | Field<boolean>>>;

/** The values of fields. */
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never };

export const u8: Field<number> = {
  name: 'u8',
  bytes: 1,
  read: (view, at) => view.getUint8(at),
  write: (view, at, value) => view.setUint8(at, value),
};

export const u16: Field<number> = {
  name: 'u16',
  bytes: 2,
  read: (view, at) => view.getUint16(at, true),
  write: (view, at, value) => view.setUint16(at, value, true),
};

export const u32: Field<number> = {
  name: 'u32',
  bytes: 4,
  read: (view, at) => view.getUint32(at, true),
  write: (view, at, value) => view.setUint32(at, value, true),
};

export const u64: Field<bigint> = {
  name: 'u64',
  bytes: 8,
  read: (view, at) => view.getBigUint64(at, true),
  write: (view, at, value) => view.setBigUint64(at, value, true),
};

/** A signed integer; out-of-range values are clamped. */
export const i16: Field<number> = {
  name: 'i16',
  bytes: 2,
  read: (view, at) => view.getInt16(at, true),
  write: (view, at, value) => view.setInt16(at, Math.min(32767, Math.max(-32768, value)), true),
};

/** A byte that is 0 or 1. */
export const bool: Field<boolean> = {
  name: 'bool',
  bytes: 1,
  read: (view, at) => [false, true][view.getUint8(at)],
  write: (view, at, value) => view.setUint8(at, value ? 1 : 0),
};

/** A message: a type byte, its fields, and in some cases a body of any length. */
export class Message<F extends Fields> {
  /** Bytes of type and fields. */
  readonly bytes: number;
  readonly #layout: readonly { readonly name: string; readonly at: number; readonly field: Field<unknown> }[];

  /** `body`: the content after the fields; undefined if there is none. */
  constructor(
    readonly type: number,
    fields: F,
    readonly body?: string,
  ) {
    let at = 1;
    this.#layout = Object.entries(fields as Readonly<Record<string, Field<unknown>>>).map(([name, field]) => {
      const placed = { name, at, field };
      at += field.bytes;
      return placed;
    });
    this.bytes = at;
  }

  /** Offset of each field, counted from the type. */
  get layout() {
    return this.#layout;
  }

  /** Encodes it, without a body, after `before` zero bytes. */
  encode(values: Values<F>, before = 0): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(before + this.bytes);
    const view = new DataView(bytes.buffer);
    view.setUint8(before, this.type);
    for (const { name, at, field } of this.#layout) field.write(view, before + at, values[name]);
    return bytes;
  }

  /** Decodes it after `before` bytes; null if it is another message, or has an invalid size or value. */
  decode(bytes: Uint8Array, before = 0): Values<F> | null {
    const size = bytes.length - before;
    if (bytes[before] !== this.type || (this.body === undefined ? size !== this.bytes : size < this.bytes)) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset + before, size);
    const values: Record<string, unknown> = {};
    for (const { name, at, field } of this.#layout) {
      const value = field.read(view, at);
      if (value === undefined) return null;
      values[name] = value;
    }
    return values as Values<F>;
  }
}
