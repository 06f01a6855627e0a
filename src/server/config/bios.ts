import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, text, type Environment } from './environment.js';

const SETTING = 'BERTH_PS1_BIOS_DIR';

/** What the emulator looks for: the BIOS of Japanese, American and European machines. */
const NAMES = ['scph5500.bin', 'scph5501.bin', 'scph5502.bin'];
const BIOS_BYTES = 512 << 10;

/** The user in the containers, who is no one special on the engine's machine. */
const READER = 1000;

/**
 * Folder with the BIOS of a real ps1; null where there is none, and the emulator's own serves. `isLocal` says that an
 * engine is on this machine, so that what is in the folder can be looked at.
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

/** Whether the user in the containers has rights (4: read, 1: enter). */
function isReadable(path: string, rights: number): boolean {
  const { mode, uid } = statSync(path);
  return (mode & rights) === rights || (uid === READER && ((mode >> 6) & rights) === rights);
}
