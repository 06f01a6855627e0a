/** Big-endian number of 1, 2, 4 or 8 bytes. */
export function uint(bytes: 1 | 2 | 4 | 8, value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 8) view.setBigUint64(0, BigInt(Math.round(value)));
  else if (bytes === 4) view.setUint32(0, value);
  else if (bytes === 2) view.setUint16(0, value);
  else view.setUint8(0, value);
  return new Uint8Array(view.buffer);
}

export const zeros = (count: number) => new Uint8Array(count);

export const ascii = (text: string) => Uint8Array.from(text, character => character.charCodeAt(0));

/** Concatenates parts into one array. */
export function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** An ISO BMFF box: length, four-letter type, content. */
export function box(type: string, ...content: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = concat(content);
  return concat([uint(4, body.length + 8), ascii(type), body]);
}

/** A box with version and flags. */
export function fullBox(
  type: string,
  version: number,
  flags: number,
  ...content: Uint8Array[]
): Uint8Array<ArrayBuffer> {
  return box(type, uint(4, version * 2 ** 24 + flags), ...content);
}
