import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ConsoleGames } from '../console-games.js';
import { discsLike } from './disc-set.js';
import { extensionOf, quoted } from './file-names.js';
import { HEAD_BYTES, headerProblem } from './header.js';
import { otherFormat } from './other-format.js';
import { RomProblem } from './problem.js';
import { readHead } from './read-head.js';
import { oneOf } from './several.js';

/** The file to start, with the extension of what it is: its name may have another one, or none. */
export interface ChosenGame {
  readonly path: string;
  readonly extension: string;
  /** The files of its discs, where it has several and no playlist; the first of them is `path`. */
  readonly discs: readonly string[];
}

/** Extensions of files that are a disc each. */
const DISCS: ReadonlySet<string> = new Set(['cue', 'chd', 'pbp', 'iso', 'bin']);

/** A file that may be the game. */
interface Candidate {
  readonly path: string;
  readonly size: number;
  /** Whether its name has one of the console's extensions. */
  readonly isNamed: boolean;
  /** What it is; undefined if neither content nor name tells that it is one of the console's games. */
  readonly extension: string | undefined;
  /** Why it cannot be played, or null. */
  readonly problem: string | null;
  /** What it surely is instead, in words after "it is". */
  readonly other: string | null;
}

/**
 * The one file among `paths` that is to be started. Content decides what a file is, and its name where content does
 * not tell; the first of the console's extensions wins. Without any, it is the largest file that may be a game. `name`
 * is that of the archive that they come from.
 * @throws RomProblem if there is none, or several games
 */
export async function chooseGame(games: ConsoleGames, paths: readonly string[], name = ''): Promise<ChosenGame> {
  const candidates: Candidate[] = [];
  for (const path of [...paths].sort()) candidates.push(await candidate(games, path));
  for (const extension of games.extensions) {
    const fitting = candidates.filter(each => each.extension === extension);
    const named = fitting.filter(({ isNamed }) => isNamed);
    const found = (named.length > 0 ? named : fitting).map(({ path }) => path);
    if (found.length === 0) continue;
    const path = await oneOf(games, found, name);
    return { path, extension, discs: DISCS.has(extension) ? discsLike(path, found) : [] };
  }
  const [possible] = candidates.filter(({ problem }) => problem === null).sort((a, b) => b.size - a.size);
  if (possible === undefined) throw new RomProblem(noGame(games, candidates));
  return { path: possible.path, extension: games.plain, discs: [] };
}

async function candidate(games: ConsoleGames, path: string): Promise<Candidate> {
  const { size } = await stat(path);
  const head = await readHead(path, HEAD_BYTES);
  const name = extensionOf(path);
  const isNamed = games.extensions.includes(name);
  const byName = isNamed ? name : games.plain;
  const problem = headerProblem(games, byName, head, size);
  const extension = games.formatOf(head, size) ?? (isNamed && problem === null ? name : undefined);
  return { path, size, isNamed, extension, problem, other: otherFormat(games.kind, head) };
}

/** Why none of them can be started. */
function noGame({ kind, extensions }: ConsoleGames, candidates: readonly Candidate[]): string {
  const meant = candidates.length === 1 ? candidates[0] : candidates.find(({ isNamed }) => isNamed);
  if (meant?.problem) return meant.problem;
  const foreign = candidates.find(({ other }) => other?.includes(' for the '));
  const instead = foreign === undefined ? '' : ` ${quoted(basename(foreign.path))} is ${foreign.other}.`;
  return `There is no game for ${kind} in it: no file is a .${extensions.join(', .')}.${instead}`;
}
