import { basename, dirname, join } from 'node:path';
import { extensionOf, fileName, foldedName, plainLetters, readingsOf } from './file-names.js';

export type SheetKind = 'cue' | 'm3u';

/** Extensions of a disc's one track. */
export const TRACKS: readonly string[] = ['bin', 'img', 'iso', 'raw'];

/** Names of nothing but an extension and what is written in no ASCII are all alike without it. */
const HAS_LETTER = /[a-z0-9].*\./i;

/** The name at the end of a path of whichever system. */
export const baseOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? '';

/** Files of a game as cue sheets and playlists name them. */
export class NamedFiles {
  readonly #paths: readonly string[];
  readonly #byPath = new Map<string, string>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #byLetters = new Map<string, Set<string>>();

  constructor(paths: readonly string[]) {
    this.#paths = paths;
    for (const path of paths)
      for (const reading of readingsOf(basename(path))) {
        this.#byPath.set(foldedName(join(dirname(path), reading)), path);
        add(this.#byName, foldedName(reading), path);
        if (HAS_LETTER.test(reading)) add(this.#byLetters, plainLetters(reading), path);
      }
  }

  /**
   * The file that a sheet in `folder` means: at that path, or else by the name at its end, or by the letters of it that
   * no encoding changes, where only one file has them; null: none.
   */
  find(name: string, folder: string): string | null {
    const readings = readingsOf(name).map(reading => reading.replaceAll('\\', '/'));
    const names = readings.map(reading => fileName(basename(reading)));
    const paths = readings.flatMap((reading, i) => [join(dirname(reading), names[i] ?? ''), names[i] ?? '']);
    return (
      firstOf(paths, path => this.#byPath.get(foldedName(join(folder, path)))) ??
      firstOf(names, each => onlyIn(folder, this.#byName.get(foldedName(each)))) ??
      firstOf(names, each => onlyIn(folder, this.#byLetters.get(plainLetters(each))))
    );
  }

  /** The one file that the one file that a sheet names can be; null: there are none, or several, or several sheets. */
  onlyOne(kind: SheetKind, name: string): string | null {
    const having = (...extensions: string[]) => this.#paths.filter(path => extensions.includes(extensionOf(path)));
    const sheets = having('cue');
    if (kind === 'm3u') return single(sheets.length > 0 ? sheets : having('chd', 'pbp', ...TRACKS));
    if (sheets.length > 1) return null;
    return single(having(extensionOf(name))) ?? single(having(...TRACKS));
  }
}

function add(files: Map<string, Set<string>>, key: string, path: string): void {
  files.set(key, (files.get(key) ?? new Set()).add(path));
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | null | undefined): string | null {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return null;
}

/** The one of them that is in a folder, or else the only one. */
function onlyIn(folder: string, paths: ReadonlySet<string> = new Set()): string | null {
  return single([...paths].filter(path => dirname(path) === folder)) ?? single([...paths]);
}

const single = ([first, second]: readonly string[]): string | null =>
  first === undefined || second !== undefined ? null : first;
