import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { GAME_NAME, ROM_FOLDER } from '../paths.js';
import { isArchive, unpack } from './archive.js';
import { chooseGame, extensionOf } from './choose.js';
import { cueSheet, rewriteSheet } from './disc.js';
import { checkHeader, HEAD_BYTES } from './header.js';

const UNPACKED = `${ROM_FOLDER}/files`;

/**
 * Makes a file that was downloaded ready to be played, and returns the path to start. `name` is what its address
 * calls it.
 * @throws RomProblem where it cannot be played
 */
export async function prepareRom(kind: ConsoleKind, file: string, name: string, maxBytes: number): Promise<string> {
  await rm(UNPACKED, { recursive: true, force: true });
  await mkdir(UNPACKED, { recursive: true });
  if (isArchive(await headOf(file, 16))) {
    await unpack(file, UNPACKED, maxBytes);
    await rm(file);
  } else {
    await rename(file, join(UNPACKED, plainName(kind, name)));
  }
  const paths = await filesIn(UNPACKED);
  return named(kind, chooseGame(kind, paths), paths);
}

/** An address need not end in a file's name: what has no extension at all is taken for what the console plays. */
function plainName(kind: ConsoleKind, name: string): string {
  const DEFAULTS = { nes: 'nes', snes: 'sfc', n64: 'z64', ps1: 'bin' } as const;
  const extension = extensionOf(name) || DEFAULTS[kind];
  return `${GAME_NAME}.${extension}`;
}

/** Gives the game its own name, after which saves are called, once it was found to be one. */
async function named(kind: ConsoleKind, path: string, paths: readonly string[]): Promise<string> {
  const extension = extensionOf(path);
  const beside = (file: string) => join(dirname(path), file);
  if (extension === 'cue' || extension === 'm3u') {
    await rewriteSheet(path, `${GAME_NAME}.${extension}`, extension, paths);
    return beside(`${GAME_NAME}.${extension}`);
  }
  checkHeader(kind, extension, await headOf(path, HEAD_BYTES), (await stat(path)).size);
  if (extension === 'bin' || extension === 'iso') {
    await writeFile(beside(`${GAME_NAME}.cue`), cueSheet(basename(path), extension));
    return beside(`${GAME_NAME}.cue`);
  }
  const target = beside(`${GAME_NAME}.${extension}`);
  await rename(path, target);
  return target;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}

async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
