import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { extensionOf, foldedName, quoted, textOf } from './file-names.js';
import { checkHeader, discFormat, discProblem, HEAD_BYTES, RAW_SECTOR_BYTES } from './header.js';
import { readHead } from './read-head.js';
import { baseOf, NamedFiles, type SheetKind, TRACKS } from './named-files.js';
import { makeRaw } from './raw-disc.js';
import { RomProblem } from './problem.js';

const DISC = { kind: 'ps1', problem: discProblem } as const;

const TEXT_MAX_BYTES = 64 << 10;

/** The cue sheet of a disc that came as its one data track. */
export const cueSheet = (file: string) => `FILE "${file}" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n`;

/** A line of a cue sheet that names a file; it looks at each character once, whatever the sheet holds. */
const FILE_LINE = /^([^\S\r\n]*FILE[^\S\r\n]+)(?:"([^"\r\n]+)"|(\S+))/gim;
const TRACK_LINE = /^[^\S\r\n]*TRACK[^\S\r\n]+\d+[^\S\r\n]+(\S+)/im;
const RAW_DATA = /^MODE[12]\/2352$/i;

/** Whether a file that begins so is a cue sheet, whatever its name. */
export function isCueSheet(head: Buffer, size: number): boolean {
  if (size > TEXT_MAX_BYTES) return false;
  const text = textOf(head);
  return !text.includes('\0') && TRACK_LINE.test(text) && namedFiles('cue', text).length > 0;
}

/** A line of a playlist that names a disc. */
const DISC_LINE = /^([^\S\r\n]*)([^\s#][^\r\n]*)/gm;

/** The files that a cue sheet or playlist names. */
export function namedFiles(kind: SheetKind, text: string): string[] {
  const names: string[] = [];
  replaceNames(kind, text, name => {
    names.push(name);
    return name;
  });
  return names;
}

/** The sheet with other names in the places of its own. */
function replaceNames(kind: SheetKind, text: string, replace: (name: string) => string): string {
  if (kind === 'm3u')
    return text.replace(DISC_LINE, (_, before: string, name: string) => before + replace(name.trimEnd()));
  return text.replace(
    FILE_LINE,
    (_, before: string, quoted?: string, plain?: string) => `${before}"${replace(quoted ?? plain ?? '')}"`,
  );
}

/**
 * Checks that what a cue sheet or playlist names is among `paths`, however it writes their names, and what it says
 * that it is, and writes it anew with the names as they are to `target`, in the same folder. So it does with the
 * sheets that a playlist names, in their places.
 * @throws RomProblem
 */
export async function rewriteSheet(
  path: string,
  target: string,
  kind: SheetKind,
  paths: readonly string[],
): Promise<void> {
  await rewrite(path, join(dirname(path), target), kind, new NamedFiles(paths));
}

async function rewrite(path: string, target: string, kind: SheetKind, files: NamedFiles): Promise<void> {
  const { size } = await stat(path);
  if (size > TEXT_MAX_BYTES) throw new RomProblem(`The .${kind} file is too large to be one.`);
  const text = textOf(await readFile(path));
  const names = new Set(namedFiles(kind, text));
  const found = new Map<string, string>();
  for (const name of names) {
    const file = files.find(name, dirname(path)) ?? (names.size === 1 ? files.onlyOne(kind, name) : null);
    const isTaken = [...found].some(([other, its]) => its === file && foldedName(other) !== foldedName(name));
    if (file === null || isTaken)
      throw new RomProblem(`The .${kind} file names ${quoted(baseOf(name))}, which is not beside it.`);
    found.set(name, file);
  }
  if (found.size === 0) throw new RomProblem(`The .${kind} file names no files.`);
  if (kind === 'cue') await checkTracks(text, found);
  else for (const [name, file] of found) found.set(name, await prepareDisc(file, extensionOf(file), files));
  await writeFile(
    target,
    replaceNames(kind, text, name => relative(dirname(path), found.get(name) ?? name)),
  );
}

/**
 * One of several discs: a sheet, which is checked and written anew, or an image, which is given a sheet if it is a track
 * alone. `paths` are all files of the game. Returns the file to play.
 * @throws RomProblem
 */
export async function prepareDisc(
  file: string,
  extension: string,
  paths: readonly string[] | NamedFiles,
): Promise<string> {
  if (extension === 'm3u') throw new RomProblem('The .m3u file names another one; it must name discs.');
  if (extension === 'cue') {
    await rewrite(file, file, 'cue', paths instanceof NamedFiles ? paths : new NamedFiles(paths));
    return file;
  }
  const { size } = await stat(file);
  if (size === 0) throw new RomProblem(`${quoted(basename(file))}, which is one of the discs, is empty.`);
  const head = await readHead(file, HEAD_BYTES);
  const isTrack = TRACKS.includes(extension);
  const format = isTrack ? (discFormat(head) ?? 'bin') : extension;
  if (isTrack || format === 'chd' || format === 'pbp') checkHeader(DISC, format, head, size);
  return isTrack ? withSheet(file, format === 'iso') : file;
}

/** Writes a sheet for a disc's one data track, called after it; one of data only is made raw before. Returns the sheet. */
async function withSheet(file: string, isPlain: boolean): Promise<string> {
  const track = isPlain ? `${file}.bin` : file;
  if (isPlain) {
    await makeRaw(file, track);
    await rm(file);
  }
  await writeFile(`${track}.cue`, cueSheet(basename(track)));
  return `${track}.cue`;
}

/** Each file holds something, some track is named, and a file that begins with raw data begins as a sector does. */
async function checkTracks(text: string, found: ReadonlyMap<string, string>): Promise<void> {
  if (!TRACK_LINE.test(text)) throw new RomProblem('The .cue file names no tracks.');
  const lines = [...text.matchAll(FILE_LINE)];
  for (const [i, line] of lines.entries()) {
    const file = found.get(line[2] ?? line[3] ?? '') ?? '';
    const { size } = await stat(file);
    const isRaw = RAW_DATA.test(TRACK_LINE.exec(text.slice(line.index, lines[i + 1]?.index))?.[1] ?? '');
    if (size === 0) throw new RomProblem(`${quoted(basename(file))}, which the .cue file names, is empty.`);
    if (!isRaw) continue;
    if (size < RAW_SECTOR_BYTES)
      throw new RomProblem(`${quoted(basename(file))}, which the .cue file names, is cut off.`);
    checkHeader(DISC, 'bin', await readHead(file, RAW_SECTOR_BYTES), size);
  }
}
