import { mkdir, writeFile } from 'node:fs/promises';
import { cueSheet } from '../../src/agent/console/rom/disc.js';
import { writeProgramDisc } from '../../src/agent/console/rom/ps1-disc.js';
import { EXE_HEADER_BYTES } from '../../src/agent/console/rom/ps1-program.js';

/** Where the program is loaded to, and begins. */
const ADDRESS = 0x80010000;
const PROGRAM_BYTES = 2048;
/** The instruction that jumps to the address: a program that does nothing. */
const JUMP = (0x02 << 26) | ((ADDRESS & 0x0fffffff) >>> 2);

/**
 * Writes a ps1 disc for each region into a folder, `ntsc.cue` and `pal.cue` with their `.bin`. Their program does
 * nothing: with them images/console/psx/keep-shell.c takes the BIOS through its shell.
 */
export async function buildDiscs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const program = Buffer.alloc(EXE_HEADER_BYTES + PROGRAM_BYTES);
  program.write('PS-X EXE');
  program.writeUInt32LE(ADDRESS, 0x10);
  program.writeUInt32LE(ADDRESS, 0x18);
  program.writeUInt32LE(PROGRAM_BYTES, 0x1c);
  program.writeUInt32LE(JUMP, EXE_HEADER_BYTES);
  for (const region of ['ntsc', 'pal']) {
    await writeProgramDisc(program, `${folder}/${region}.bin`, region === 'pal');
    await writeFile(`${folder}/${region}.cue`, cueSheet(`${region}.bin`));
  }
}
