/** Size of an executable's header, which precedes its code. */
export const EXE_HEADER_BYTES = 2048;

const SET_MODE = 0x08;
const PAL = 0x08;

const LUI = 0x3c000000 >>> 21;
const ADDIU = 0x09;
const ORI = 0x0d;
/** How many instructions later a constant's lower half may be loaded, for example in the delay slot of a jump. */
const NEAR = 3;

/** Whether a program sets PAL modes only. The emulator shows nothing if the region does not match. */
export function isPal(code: Buffer, from = 0): boolean {
  const modes = [...modesIn(code, from)].filter(mode => (mode & 0xffffff) <= 0xff);
  return modes.length > 0 && modes.every(mode => (mode & PAL) !== 0);
}

/** The GPU's commands to set the video mode that instructions load as constants. */
function* modesIn(code: Buffer, from: number): Generator<number> {
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
      if (value >>> 24 === SET_MODE) yield value;
      break;
    }
  }
}
