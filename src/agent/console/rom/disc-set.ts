import { readFile } from 'node:fs/promises';
import { basename, dirname, relative } from 'node:path';
import { namedFiles } from './disc.js';
import { foldedName, stemOf } from './file-names.js';

/** The number of a disc in a name: `(Disc 2)`, `disk_b`, `CD2`. */
const NUMBER = /(?<![a-z])(dis[ck]|cd)([\s_.-]*)(\d{1,2}|[a-h])(?![a-z0-9])/g;

const byNumber = new Intl.Collator('en', { numeric: true });

/** A file's name up to the number of its disc, other numbers of discs left out, and that number. */
function numbered(path: string): { before: string; number: string } | null {
  const name = foldedName(stemOf(path));
  const last = [...name.matchAll(NUMBER)].at(-1);
  if (last === undefined) return null;
  const [, word = '', , number = ''] = last;
  return { before: name.slice(0, last.index).replaceAll(NUMBER, '$1$2#') + word, number };
}

/**
 * The discs of the game whose first one is `first`, in the order of their numbers, among files that are a disc each: those
 * that are called the same up to the number. Empty if there are no others.
 */
export function discsLike(first: string, paths: readonly string[]): string[] {
  const its = numbered(first);
  if (its === null) return [];
  const discs = new Map([[its.number, first]]);
  for (const path of [...paths].sort(byNumber.compare)) {
    const other = numbered(path);
    if (other?.before === its.before && !discs.has(other.number)) discs.set(other.number, path);
  }
  const sorted = [...discs].sort(([a], [b]) => byNumber.compare(a, b)).map(([, path]) => path);
  return sorted.length > 1 && sorted[0] === first ? sorted : [];
}

/** The text of a playlist at `list` that names these files. */
export const playlist = (list: string, files: readonly string[]): string =>
  files.map(file => `${relative(dirname(list), file)}\n`).join('');

/** What the discs of a playlist are called. */
export async function discsOfPlaylist(list: string): Promise<string[]> {
  return namedFiles('m3u', await readFile(list, 'utf8')).map(labelOf);
}

/** What a disc is called: its file's name without the extensions. */
export const labelOf = (path: string): string =>
  stemOf(basename(path).replace(/(\.(bin|img|iso|raw))+\.cue$/i, '.cue'));
