import type { ConsoleGames } from '../console-games.js';
import { otherFormat } from './other-format.js';
import { TRUNCATED, RomProblem } from './problem.js';

/** So much of a file's beginning is enough to tell what it is: where discs say what they are is the farthest. */
export const HEAD_BYTES = 0x10000;

/** A sector of a disc with all that is around its data. */
export const RAW_SECTOR_BYTES = 2352;

const KILOBYTE = 1024;
const SECTOR_SYNC = Buffer.from('00ffffffffffffffffffff00', 'hex');

/** What the header needs to know of a console. */
type Header = Pick<ConsoleGames, 'kind' | 'problem'>;

/**
 * Checks that a file is what its console plays, by what it begins with.
 * @throws RomProblem
 */
export function checkHeader(games: Header, extension: string, head: Buffer, size: number): void {
  const found = headerProblem(games, extension, head, size);
  if (found !== null) throw new RomProblem(found);
}

/** Why a file that begins so is no game of its console's, and what it is instead if that is sure; null: nothing. */
export function headerProblem({ kind, problem }: Header, extension: string, head: Buffer, size: number): string | null {
  const found = problem(extension, head, size);
  if (found === null || found === TRUNCATED) return found;
  const other = otherFormat(kind, head);
  return other === null ? found : `This is not a game for the ${kind}: it is ${other}.`;
}

/** What is wrong with a file of a disc, or a program of the ps1; null: nothing. */
export function discProblem(extension: string, head: Buffer, size: number): string | null {
  const looksRight = PS1[extension];
  if (looksRight !== undefined && !looksRight(head))
    return `This is not a game for the ps1: the .${extension} file is not one.`;
  return extension === 'exe' && size < exeBytes(head) ? TRUNCATED : null;
}

/** The extension of what surely is a disc or a program of the ps1 by its content, whatever its name; null: none. */
export const discFormat = (head: Buffer): string | null =>
  Object.keys(PS1).find(extension => PS1[extension]?.(head)) ?? null;

/** What a program of the ps1 has by its header. */
const exeBytes = (head: Buffer) => (head.length < 0x20 ? 2 * KILOBYTE : 2 * KILOBYTE + head.readUInt32LE(0x1c));

/** How the files of discs begin; .cue and .m3u are texts that are looked at elsewhere. */
const PS1: Readonly<Record<string, (head: Buffer) => boolean>> = {
  chd: head => head.toString('latin1', 0, 8) === 'MComprHD',
  pbp: head => head.toString('latin1', 0, 4) === '\0PBP',
  exe: head => head.toString('latin1', 0, 8) === 'PS-X EXE',
  bin: head => head.subarray(0, SECTOR_SYNC.length).equals(SECTOR_SYNC),
  iso: head => head.toString('latin1', 0x8001, 0x8006) === 'CD001',
};
