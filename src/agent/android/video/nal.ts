/** NAL units of H.264 in Annex B. */
export const NalType = { slice: 1, idr: 5, sps: 7, pps: 8 } as const;

const START = Uint8Array.of(0, 0, 0, 1);

/** The type of a NAL unit. */
export const nalType = (unit: Uint8Array): number => (unit[0] ?? 0) & 31;

/** Splits at the start codes; the units are views. */
export function nalUnits(stream: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  let begin = -1;
  for (let at = 0; at + 2 < stream.length; at++) {
    if (stream[at] !== 0 || stream[at + 1] !== 0 || stream[at + 2] !== 1) continue;
    if (begin >= 0) units.push(withoutZeros(stream.subarray(begin, at)));
    begin = at + 3;
    at += 2;
  }
  if (begin >= 0) units.push(stream.subarray(begin));
  return units;
}

/** Joins units with start codes. */
export const annexB = (units: readonly Uint8Array[]): Buffer => Buffer.concat(units.flatMap(unit => [START, unit]));

/** A unit's content, without the bytes that keep it from looking like a start code. */
export function unescaped(unit: Uint8Array): Uint8Array {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Uint8Array.from(out);
}

/** The opposite of `unescaped`. */
export function escaped(content: Uint8Array): Uint8Array {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of content) {
    if (zeros >= 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    out.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Uint8Array.from(out);
}

/** The zero of a start code of four bytes belongs to none of the units. */
function withoutZeros(unit: Uint8Array): Uint8Array {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end--;
  return unit.subarray(0, end);
}
