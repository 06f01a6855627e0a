import { fromHelper, USER_BYTES } from '../../protocol/display-helper.js';
import type { Shell } from '../../adb/shell.js';

/** Rows of a piece of the picture. */
const PIECE_ROWS = 64;

/** `user u32, shot` messages of the device's screen, of this width; one without a width if there is none. */
export async function deviceShots(shell: Shell | undefined, width: number): Promise<Buffer[]> {
  try {
    if (shell === undefined) throw new Error('There is no device.');
    return shots(await shell.bytes(['screencap']), width);
  } catch {
    return [Buffer.from(fromHelper.shot.encode({ width: 0, height: 0, top: 0 }, USER_BYTES).buffer)];
  }
}

/** `raw`: width u32, height u32, and what versions differ in, then rows of RGBA. @throws if it is anything else */
function shots(raw: Buffer, wanted: number): Buffer[] {
  const from = { width: raw.readUInt32LE(0), height: raw.readUInt32LE(4) };
  const header = raw.length - from.width * from.height * 4;
  if (header !== 12 && header !== 16) throw new Error('not a picture');
  const width = wanted === 0 ? from.width : Math.min(wanted, from.width);
  const height = Math.max(1, Math.round((from.height * width) / from.width));
  const pieces: Buffer[] = [];
  for (let top = 0; top < height; top += PIECE_ROWS) {
    const rows = Math.min(PIECE_ROWS, height - top);
    const pixels = Buffer.alloc(rows * width * 3);
    for (let y = 0, out = 0; y < rows; y++) {
      const row = header + Math.floor(((top + y) * from.height) / height) * from.width * 4;
      for (let x = 0; x < width; x++, out += 3) {
        const at = row + Math.floor((x * from.width) / width) * 4;
        pixels[out] = raw[at] as number;
        pixels[out + 1] = raw[at + 1] as number;
        pixels[out + 2] = raw[at + 2] as number;
      }
    }
    pieces.push(Buffer.concat([fromHelper.shot.encode({ width, height, top }, USER_BYTES), pixels]));
  }
  return pieces;
}
