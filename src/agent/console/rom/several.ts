import { basename } from 'node:path';
import type { ConsoleGames } from '../console-games.js';
import { gameKey } from '../saves.js';
import { foldedName, quoted, stemOf } from './file-names.js';
import { RomProblem } from './problem.js';

/** How many of an archive's games are named in a sentence. */
const NAMED = 3;

const byNumber = new Intl.Collator('en', { numeric: true });

/**
 * The one of several games of an archive that is to be started: the one that is called as the archive is, or else the
 * one in the fewest folders; of a game's discs or versions, the first.
 * @throws RomProblem if they are different games
 */
export async function oneOf(games: ConsoleGames, paths: readonly string[], archive: string): Promise<string> {
  const called = paths.filter(path => stem(path) === stem(archive));
  const fewest = Math.min(...paths.map(depth));
  const likely = called.length > 0 ? called : paths.filter(path => depth(path) === fewest);
  const [first = '', ...others] = [...likely].sort(byNumber.compare);
  if (others.length > 0 && games.hasDiscs !== true && !(await isOneGame(likely)))
    throw new RomProblem(several(games, [first, ...others]));
  return first;
}

/** Whether they are the same, or called the same, but for what is in brackets: regions and revisions. */
async function isOneGame(paths: readonly string[]): Promise<boolean> {
  if (new Set(paths.map(title)).size === 1) return true;
  const keys = new Set<string>();
  for (const path of paths) keys.add(await gameKey(path));
  return keys.size === 1;
}

function several({ kind }: ConsoleGames, paths: readonly string[]): string {
  const names = paths.slice(0, NAMED).map(path => quoted(basename(path)));
  const further = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  const list = `${names.join(', ')}${further}`;
  return `There are several games for ${kind} in it: ${list}. Give one, or call the archive as the one to start.`;
}

const depth = (path: string) => path.split('/').length;
const stem = (path: string) => foldedName(stemOf(basename(path)));
const title = (path: string) => stem(path).replace(/\s*[([].*$/, '');
