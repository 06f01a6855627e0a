/** The header of a program of the ps1, without its code. */
export const EXE_HEADER_BYTES = 2048;

/** The last line at which a picture may end so that the emulator sees that it has: the shorter fields of NTSC have 262. */
const LAST_END = 261;
/** A picture of 240 lines that begins at 24 ends here. Those that end later are PAL, whose fields are long enough. */
const LATEST_NTSC_END = 264;
/** No field has more lines: what ends later counts those of both fields. */
const MOST_LINES = 314;

const SET_MODE = 0x08;
const SET_LINES = 0x07;
const PAL = 0x08;

const LUI = 0x3c000000 >>> 21;
const ADDIU = 0x09;
const ORI = 0x0d;
/** A constant's lower half may come some instructions later: behind a jump, as what is done before it is taken. */
const NEAR = 3;

/** A constant that two instructions load, and where they are. */
interface Constant {
  readonly upper: number;
  readonly lower: number;
  readonly value: number;
}

/**
 * Lets pictures of a program end within a field; null where all do. Programs made for the machine itself set lines 24
 * to 264, but a field of NTSC has 262 or 263: the emulator then never comes to a vertical blank, so the picture rolls,
 * and whoever waits for the blank waits for ever. Only constants that instructions load are changed.
 */
export function endWithinField(code: Buffer, from = 0): Buffer | null {
  const changed = Buffer.from(code);
  let found = false;
  for (const { upper, lower, value } of constantsIn(code, from, SET_LINES)) {
    const start = value & 0x3ff;
    const end = (value >>> 10) & 0x3ff;
    const isLate = (end > LAST_END && end <= LATEST_NTSC_END) || end > MOST_LINES;
    if (!isLate || start >= end) continue;
    // Its lower half is below 0x8000, so it is the same for both instructions.
    const mended = ((value & ~(0x3ff << 10)) | (LAST_END << 10)) >>> 0;
    changed.writeUInt16LE(mended >>> 16, upper);
    changed.writeUInt16LE(mended & 0xffff, lower);
    found = true;
  }
  return found ? changed : null;
}

/** Whether all pictures of a program are those of PAL. The emulator shows nothing of the others' when it is one. */
export function isPal(code: Buffer, from = 0): boolean {
  const modes = [...constantsIn(code, from, SET_MODE)].filter(({ value }) => (value & 0xffffff) <= 0xff);
  return modes.length > 0 && modes.every(({ value }) => (value & PAL) !== 0);
}

/** The constants whose first byte is an order to the graphics chip. */
function* constantsIn(code: Buffer, from: number, order: number): Generator<Constant> {
  for (let upper = from; upper + 8 <= code.length; upper += 4) {
    const first = code.readUInt32LE(upper);
    if (first >>> 21 !== LUI) continue;
    const register = (first >>> 16) & 0x1f;
    for (let lower = upper + 4; lower <= upper + 4 * NEAR && lower + 4 <= code.length; lower += 4) {
      const second = code.readUInt32LE(lower);
      const operation = second >>> 26;
      if (operation !== ORI && operation !== ADDIU) continue;
      if (((second >>> 21) & 0x1f) !== register || ((second >>> 16) & 0x1f) !== register) continue;
      const low = second & 0xffff;
      // The one of them extends the sign.
      const value = (((first & 0xffff) << 16) + (operation === ADDIU ? (low << 16) >> 16 : low)) >>> 0;
      if (value >>> 24 === order) yield { upper, lower, value };
      break;
    }
  }
}
