import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ConsoleGames, PreparedRom } from '../console-games.js';
import { GAME_NAME, ROM_FOLDER } from '../paths.js';
import { isArchive, unpack } from './archive.js';
import { normalizeCartridge } from './cartridge.js';
import { chooseGame, type ChosenGame } from './choose.js';
import { cueSheet, prepareDisc, rewriteSheet } from './disc.js';
import { extensionOf, stemOf } from './file-names.js';
import { discsOfPlaylist, labelOf, playlist } from './disc-set.js';
import { readHead } from './read-head.js';
import { checkHeader, HEAD_BYTES } from './header.js';
import { makeRaw } from './raw-disc.js';

const UNPACKED = `${ROM_FOLDER}/files`;

/** A file that was downloaded. */
export interface DownloadedRom {
  readonly file: string;
  /** What its address calls it: a hint, where its content does not tell what it is. */
  readonly name: string;
}

/**
 * Makes a file that was downloaded ready to be played, in a folder that is emptied first; `ended` aborts it.
 * @throws RomProblem where it cannot be played
 */
export async function prepareRom(
  games: ConsoleGames,
  { file, name }: DownloadedRom,
  maxBytes: number,
  ended: AbortSignal,
  folder = UNPACKED,
): Promise<PreparedRom> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (isArchive(await readHead(file, 16))) {
    await unpack(file, folder, maxBytes, ended);
    await rm(file);
  } else {
    await rename(file, join(folder, plainName(games, name)));
  }
  return prepareFiles(games, folder, name);
}

/**
 * The same for a game's files, which are in this folder and nothing else is. `name` is that of the archive that they come
 * from. @throws RomProblem where they cannot be played
 */
export async function prepareFiles(games: ConsoleGames, folder: string, name: string): Promise<PreparedRom> {
  const paths = await filesIn(folder);
  const rom = await named(games, await chooseGame(games, paths, name), paths);
  return games.forEmulator === undefined ? rom : games.forEmulator(rom, await filesIn(folder));
}

const plainName = ({ plain }: ConsoleGames, name: string) => `${GAME_NAME}.${extensionOf(name) || plain}`;

/** Gives the game its own name, after which saves are called, once it was found to be one. */
async function named(
  games: ConsoleGames,
  { path, extension, discs }: ChosenGame,
  paths: readonly string[],
): Promise<PreparedRom> {
  const beside = (file: string) => join(dirname(path), file);
  if (discs.length > 0) {
    const files: string[] = [];
    for (const disc of discs) files.push(await prepareDisc(await withExtension(disc, extension), extension, paths));
    const list = beside(`${GAME_NAME}.m3u`);
    await writeFile(list, playlist(list, files));
    const [first = ''] = files;
    // A sheet that was made for a track is called after it.
    const body = extension === 'cue' ? await largest(paths) : isTrack(extension) ? stemOf(first) : first;
    return { path: list, body, discs: discs.map(labelOf) };
  }
  if (extension === 'cue' || extension === 'm3u') {
    const sheet = beside(`${GAME_NAME}.${extension}`);
    await rewriteSheet(path, basename(sheet), extension, paths);
    return { path: sheet, body: await largest(paths), discs: extension === 'm3u' ? await discsOfPlaylist(sheet) : [] };
  }
  const { size } = await stat(path);
  checkHeader(games, extension, await readHead(path, HEAD_BYTES), size);
  const target = beside(`${GAME_NAME}.${extension}`);
  if (isTrack(extension)) return disc(path, extension);
  await normalizeCartridge(games, path);
  await rename(path, target);
  return { path: target, body: target };
}

const isTrack = (extension: string): extension is 'bin' | 'iso' => extension === 'bin' || extension === 'iso';

/** Gives one of several discs the extension of what it is, by which the emulator tells; a track gets a sheet anyway. */
async function withExtension(disc: string, extension: string): Promise<string> {
  if (isTrack(extension) || extensionOf(disc) === extension) return disc;
  await rename(disc, `${disc}.${extension}`);
  return `${disc}.${extension}`;
}

/** Sheets and texts are small beside what they are about. */
async function largest(paths: readonly string[]): Promise<string> {
  const sized = await Promise.all([...paths].sort().map(async path => ({ path, size: (await stat(path)).size })));
  return sized.reduce((most, each) => (each.size > most.size ? each : most)).path;
}

/** A disc's one data track, in sectors as the emulator wants them, and a sheet for it. */
async function disc(path: string, extension: 'bin' | 'iso'): Promise<PreparedRom> {
  const track = join(dirname(path), `${GAME_NAME}.bin`);
  const sheet = join(dirname(path), `${GAME_NAME}.cue`);
  if (extension === 'bin') {
    await rename(path, track);
  } else {
    // Whatever its name is, it is not that of what is made of it.
    const data = join(dirname(path), `${GAME_NAME}.iso`);
    await rename(path, data);
    await makeRaw(data, track);
    await rm(data);
  }
  await writeFile(sheet, cueSheet(basename(track)));
  return { path: sheet, body: track };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}
