import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ConsoleKind } from '../../protocol/generated/schemas.js';
import type { ProfileContent } from '../profile/archive.js';
import { GAME_FOLDER, GAMES_FOLDER, SAVE_FOLDER, STATE_FOLDER } from './paths.js';

/** Players have the slots 0 to 9. */
export const SLOTS = 10;

export type Slot = number | 'automatic';

/** The file of a saved state. */
export const stateFile = (core: string, slot: Slot) => `${STATE_FOLDER}/${core}-${slot}.state`;

const CONSOLES = Object.keys({ nes: 0, snes: 0, n64: 0, ps1: 0 } satisfies Record<ConsoleKind, 0>).join('|');

/** Of each console and game: what is in its battery and on its cards, and the saved states of each core. */
const KEPT = new RegExp(
  `^(${CONSOLES})(/[0-9a-f]{64}(/saves(/[^/]+)?|/states(/[a-z0-9_]+-(\\d|automatic)\\.state)?)?)?$`,
);

/** What of games is kept in a profile. */
export const consoleContent = (folder = GAMES_FOLDER): ProfileContent => ({ folder, keeps: path => KEPT.test(path) });

/** What a game is known by, whatever it is called and wherever it came from. */
export async function gameKey(body: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(body), hash);
  return hash.digest('hex');
}

/** Makes the folder of a game the one that emulators read and write. */
export async function openSaves(kind: ConsoleKind, key: string): Promise<void> {
  const folder = `${GAMES_FOLDER}/${kind}/${key}`;
  await mkdir(folder, { recursive: true });
  await rm(GAME_FOLDER, { force: true });
  await symlink(folder, GAME_FOLDER);
  for (const each of [SAVE_FOLDER, STATE_FOLDER]) await mkdir(each, { recursive: true });
}
