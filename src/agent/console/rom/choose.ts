import type { ConsoleGames } from '../console-games.js';
import { RomProblem } from './problem.js';

export const extensionOf = (path: string) => /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? '';

/**
 * The one file among `paths` that is to be started.
 * @throws RomProblem where none fits
 */
export function chooseGame({ kind, extensions }: ConsoleGames, paths: readonly string[]): string {
  for (const extension of extensions) {
    const found = paths.filter(path => extensionOf(path) === extension).sort()[0];
    if (found !== undefined) return found;
  }
  throw new RomProblem(`There is no game for ${kind} in it: a file that ends in .${extensions.join(', .')} is needed.`);
}
