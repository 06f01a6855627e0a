import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BIOS_FOLDER, GAME_NAME } from '../paths.js';
import { extensionOf } from './file-names.js';
import { cueSheet } from './disc.js';
import type { PreparedRom } from '../console-games.js';
import { writeProgramDisc } from './ps1-disc.js';
import { EXE_HEADER_BYTES, isPal } from './ps1-program.js';
import { prepareTrack } from './ps1-track.js';

const BIOSES = ['scph5500.bin', 'scph5501.bin', 'scph5502.bin'];

/**
 * Adapts homebrew to the emulator. A program is put on a disc of its own: if the emulator loaded it straight into
 * memory, it would run before OpenBIOS has initialized the console. An operator's BIOS does not have that problem.
 */
export async function ps1Files(rom: PreparedRom, files: readonly string[]): Promise<PreparedRom> {
  if (extensionOf(rom.path) !== 'exe') {
    for (const file of files) await prepareTrack(file);
    return rom;
  }
  if (BIOSES.some(name => existsSync(`${BIOS_FOLDER}/${name}`))) return rom;
  const program = await readFile(rom.path);
  const beside = (name: string) => join(dirname(rom.path), name);
  await writeProgramDisc(program, beside(`${GAME_NAME}.bin`), isPal(program, EXE_HEADER_BYTES));
  await writeFile(beside(`${GAME_NAME}.cue`), cueSheet(`${GAME_NAME}.bin`));
  return { path: beside(`${GAME_NAME}.cue`), body: rom.body };
}
