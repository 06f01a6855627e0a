import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative } from 'node:path';
import { zipSync, type Zippable } from 'fflate';
import { namedFiles } from '../../src/agent/console/rom/disc.js';
import type { ConsoleKind } from '../../src/protocol/generated/schemas.js';

/** A program to try. */
export interface Program {
  /** Its path below the given folder. */
  readonly name: string;
  readonly path: string;
  readonly type: ConsoleKind;
}

const EXTENSIONS: Readonly<Record<string, ConsoleKind>> = {
  nes: 'nes',
  sfc: 'snes',
  smc: 'snes',
  z64: 'n64',
  n64: 'n64',
  v64: 'n64',
  exe: 'ps1',
  cue: 'ps1',
  chd: 'ps1',
  m3u: 'ps1',
  pbp: 'ps1',
};

const extensionOf = (path: string) => extname(path).slice(1).toLowerCase();

/** All programs below a folder, by extension and optionally of one console, in the order of their names. */
export async function findPrograms(folder: string, only: ConsoleKind | null): Promise<Program[]> {
  const isFile = (await stat(folder)).isFile();
  const entries = isFile ? [] : await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = isFile ? [folder] : entries.filter(each => each.isFile()).map(each => join(each.parentPath, each.name));
  return paths
    .flatMap(path => {
      const type = EXTENSIONS[extensionOf(path)];
      const name = isFile ? basename(path) : relative(folder, path);
      return type === undefined || (only !== null && type !== only) ? [] : [{ name, path, type }];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The file to be downloaded for a program, and its name: a sheet is archived with the files it names. */
export async function packed({ path }: Program): Promise<{ name: string; content: Buffer }> {
  const extension = extensionOf(path);
  if (extension !== 'cue' && extension !== 'm3u') return { name: basename(path), content: await readFile(path) };
  const files: Zippable = {};
  await addSheet(files, dirname(path), path);
  return { name: 'disc.zip', content: Buffer.from(zipSync(files, { level: 0 })) };
}

async function addSheet(files: Zippable, folder: string, path: string): Promise<void> {
  const content = await readFile(path);
  files[relative(folder, path)] = content;
  const kind = extensionOf(path);
  if (kind !== 'cue' && kind !== 'm3u') return;
  for (const name of namedFiles(kind, content.toString('utf8'))) {
    const named = join(dirname(path), name.replaceAll('\\', '/'));
    // Missing files are reported by the service.
    if (existsSync(named) && !relative(folder, named).startsWith('..')) await addSheet(files, folder, named);
  }
}

/** The reference picture of a program: next to it or at the same place in another folder; null if there is none. */
export async function referenceOf({ name }: Program, folder: string): Promise<string | null> {
  const beside = dirname(join(folder, name));
  const pictures = await readdir(beside).then(
    names => names.filter(each => extensionOf(each) === 'png'),
    () => [],
  );
  const own = basename(name, extname(name)).toLowerCase();
  const found = pictures.find(each => basename(each, extname(each)).toLowerCase() === own);
  return found === undefined ? null : join(beside, found);
}
