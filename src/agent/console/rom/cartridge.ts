import { readFile, writeFile } from 'node:fs/promises';
import type { ConsoleGames } from '../console-games.js';

/** Rewrites the file of a cartridge as what is on its chip, so that a game is the same however it was read. */
export async function normalizeCartridge(
  { normalize: onChip }: Pick<ConsoleGames, 'normalize'>,
  path: string,
): Promise<void> {
  if (onChip === undefined) return;
  const changed = onChip(await readFile(path));
  if (changed !== null) await writeFile(path, changed);
}
