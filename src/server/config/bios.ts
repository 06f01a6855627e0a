import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, text, type Environment } from './environment.js';

const SETTING = 'BERTH_PS1_BIOS_DIR';

/** The file names the emulator looks for: BIOS of Japanese, American and European machines. */
const NAMES = ['scph5500.bin', 'scph5501.bin', 'scph5502.bin'];
const BIOS_BYTES = 512 << 10;

/** The containers' user, who has no special rights on the engine's machine. */
const READER = 1000;

/**
 * Folder with a real ps1's BIOS; null if there is none and the emulator's built-in replacement is used. `isLocal`: an
 * engine runs on this machine, so the folder can be checked.
 * @throws ConfigError
 */
export function ps1BiosFolder(env: Environment, cwd: string, isLocal: boolean): string | null {
  const value = text(env, SETTING);
  if (value === undefined) return null;
  const folder = resolve(cwd, value);
  const problem = isLocal ? problemOf(folder) : null;
  if (problem === null) return folder;
  throw new ConfigError(`${SETTING} must be a folder with ${NAMES.join(', ')} or some of them, but ${problem}.`);
}

function problemOf(folder: string): string | null {
  try {
    const found = NAMES.filter(name => readdirSync(folder).includes(name));
    if (found.length === 0) return `${folder} has none`;
    if (!isReadable(folder, 5)) return `the user ${READER} cannot read ${folder}`;
    for (const name of found) {
      const { size } = statSync(join(folder, name));
      if (size !== BIOS_BYTES) return `${name} has ${size} bytes, not ${BIOS_BYTES}`;
      if (!isReadable(join(folder, name), 4)) return `the user ${READER} cannot read ${name}`;
    }
    return null;
  } catch (error) {
    return `${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
}

/** Whether the user in the containers has these rights (4: read, 1: enter). */
function isReadable(path: string, rights: number): boolean {
  const { mode, uid } = statSync(path);
  return (mode & rights) === rights || (uid === READER && ((mode >> 6) & rights) === rights);
}
