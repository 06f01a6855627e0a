/** Types of NAL units. */
export const NalType = { slice: 1, idr: 5, sps: 7, pps: 8 } as const;

const START_CODE = Uint8Array.of(0, 0, 0, 1);

/** The type of a NAL unit. */
export const nalType = (unit: Uint8Array): number => (unit[0] ?? 0) & 31;

/** Splits a stream in Annex B at its start codes; the units are views of it. */
export function nalUnits(stream: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  let begin = -1;
  for (let at = 0; at + 2 < stream.length; at++) {
    if (stream[at] !== 0 || stream[at + 1] !== 0 || stream[at + 2] !== 1) continue;
    if (begin >= 0) units.push(withoutZeros(stream.subarray(begin, at)));
    begin = at + 3;
    at += 2;
  }
  if (begin >= 0) units.push(withoutZeros(stream.subarray(begin)));
  return units.filter(unit => unit.length > 0);
}

/** Parameter sets are found within so many bytes. */
const HEAD_BYTES = 4096;

/** The first unit of a type at the beginning of an access unit, without splitting the frame that follows it. */
export function findNal(accessUnit: Uint8Array, type: number): Uint8Array | undefined {
  return nalUnits(accessUnit.subarray(0, HEAD_BYTES)).find(unit => nalType(unit) === type);
}

/** Joins units with start codes. */
export function annexB(units: readonly Uint8Array[]): Uint8Array {
  const stream = new Uint8Array(units.reduce((sum, unit) => sum + START_CODE.length + unit.length, 0));
  let at = 0;
  for (const unit of units) {
    stream.set(START_CODE, at);
    stream.set(unit, at + START_CODE.length);
    at += START_CODE.length + unit.length;
  }
  return stream;
}

/** A unit's content, without the bytes that keep it from looking like a start code. */
export function unescaped(unit: Uint8Array): Uint8Array {
  const content = new Uint8Array(unit.length);
  let length = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    content[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return content.subarray(0, length);
}

/** The opposite of `unescaped`. */
export function escaped(content: Uint8Array): Uint8Array {
  const unit: number[] = [];
  let zeros = 0;
  for (const byte of content) {
    if (zeros >= 2 && byte <= 3) {
      unit.push(3);
      zeros = 0;
    }
    unit.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Uint8Array.from(unit);
}

/** A unit does not end with zeros: they belong to the start code after it, or fill up the stream. */
function withoutZeros(unit: Uint8Array): Uint8Array {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end--;
  return unit.subarray(0, end);
}
