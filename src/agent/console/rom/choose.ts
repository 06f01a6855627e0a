import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { RomProblem } from './problem.js';

/** Extensions of what each console plays, what is taken first comes first. */
const EXTENSIONS: Readonly<Record<ConsoleKind, readonly string[]>> = {
  nes: ['nes'],
  snes: ['sfc', 'smc'],
  n64: ['z64', 'n64', 'v64'],
  ps1: ['m3u', 'cue', 'chd', 'pbp', 'exe', 'iso', 'bin'],
};

export const extensionOf = (path: string) => /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1]?.toLowerCase() ?? '';

/**
 * The one file among `paths` that is to be started.
 * @throws RomProblem where none fits
 */
export function chooseGame(kind: ConsoleKind, paths: readonly string[]): string {
  const known = EXTENSIONS[kind];
  for (const extension of known) {
    const found = paths.filter(path => extensionOf(path) === extension).sort()[0];
    if (found !== undefined) return found;
  }
  throw new RomProblem(`There is no game for ${kind} in it: a file that ends in .${known.join(', .')} is needed.`);
}
