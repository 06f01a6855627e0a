/** Size of an executable's header, which precedes its code. */
export const EXE_HEADER_BYTES = 2048;

/** The last line at which a picture may end for the emulator to notice its end: the shorter NTSC fields have 262. */
const LAST_END = 261;
/** A picture of 240 lines that starts at line 24 ends here. Those that end later are PAL, whose fields are longer. */
const LATEST_NTSC_END = 264;
/** No field has more lines: a picture that ends later counts the lines of both fields. */
const MOST_LINES = 314;

const SET_MODE = 0x08;
const SET_LINES = 0x07;
const PAL = 0x08;

const LUI = 0x3c000000 >>> 21;
const ADDIU = 0x09;
const ORI = 0x0d;
/** How many instructions later a constant's lower half may be loaded, for example in the delay slot of a jump. */
const NEAR = 3;

/** A constant loaded by two instructions, and the offsets of these. */
interface Constant {
  readonly upper: number;
  readonly lower: number;
  readonly value: number;
}

/**
 * Changes a program so that its pictures end within a field; null if they all do. Programs written for real hardware
 * often display lines 24 to 264, but an NTSC field has 262 or 263: the emulator then never reaches the vertical blank,
 * so the picture rolls, and a program that waits for the blank hangs. Only constants in instructions are changed.
 */
export function endWithinField(code: Buffer, from = 0): Buffer | null {
  const changed = Buffer.from(code);
  let found = false;
  for (const { upper, lower, value } of constantsIn(code, from, SET_LINES)) {
    const start = value & 0x3ff;
    const end = (value >>> 10) & 0x3ff;
    const isLate = (end > LAST_END && end <= LATEST_NTSC_END) || end > MOST_LINES;
    if (!isLate || start >= end) continue;
    // Its lower half is below 0x8000, so sign extension makes no difference.
    const mended = ((value & ~(0x3ff << 10)) | (LAST_END << 10)) >>> 0;
    changed.writeUInt16LE(mended >>> 16, upper);
    changed.writeUInt16LE(mended & 0xffff, lower);
    found = true;
  }
  return found ? changed : null;
}

/** Whether a program sets PAL modes only. The emulator shows nothing if the region does not match. */
export function isPal(code: Buffer, from = 0): boolean {
  const modes = [...constantsIn(code, from, SET_MODE)].filter(({ value }) => (value & 0xffffff) <= 0xff);
  return modes.length > 0 && modes.every(({ value }) => (value & PAL) !== 0);
}

/** The constants whose first byte is the given GPU command. */
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
      // ADDIU extends the sign.
      const value = (((first & 0xffff) << 16) + (operation === ADDIU ? (low << 16) >> 16 : low)) >>> 0;
      if (value >>> 24 === order) yield { upper, lower, value };
      break;
    }
  }
}
