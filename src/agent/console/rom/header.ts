import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { isN64 } from './cartridge-n64.js';
import { foreign } from './foreign.js';
import { RomProblem } from './problem.js';

/** So much of a file's beginning is enough to tell what it is: where discs say what they are is the farthest. */
export const HEAD_BYTES = 0x10000;

/** A sector of a disc with all that is around its data. */
export const RAW_SECTOR_BYTES = 2352;

const KILOBYTE = 1024;
const SECTOR_SYNC = Buffer.from('00ffffffffffffffffffff00', 'hex');

/**
 * Checks that a file is what its console plays, by what it begins with.
 * @throws RomProblem
 */
export function checkHeader(kind: ConsoleKind, extension: string, head: Buffer, size: number): void {
  const problem = PROBLEMS[kind](extension, head, size);
  if (problem !== null) throw new RomProblem(problem);
}

type Check = (extension: string, head: Buffer, size: number) => string | null;

const PROBLEMS: Readonly<Record<ConsoleKind, Check>> = {
  nes: (_, head, size) => {
    if (!head.subarray(0, 4).equals(Buffer.from('NES\x1a')))
      return 'This is not a game for the nes: it does not begin with "NES".';
    return size < nesBytes(head) ? CUT_OFF : null;
  },
  // Games that people make for themselves have no header, or half of one, and no sums: cores do not mind.
  snes: (_, head, size) => {
    const problem = foreign(head);
    if (problem !== null) return `This is not a game for the snes: it is ${problem}.`;
    return size < SNES_BYTES.least || size > SNES_BYTES.most
      ? 'This is not a game for the snes: those have 32 KiB to 16 MiB.'
      : null;
  },
  n64: (_, head, size) =>
    isN64(head, size) ? null : 'This is not a game for the n64: it does not begin as a cartridge does.',
  ps1: (extension, head, size) => {
    const looksRight = PS1[extension];
    if (looksRight !== undefined && !looksRight(head))
      return `This is not a game for the ps1: the .${extension} file is not one.`;
    return extension === 'exe' && size < exeBytes(head) ? CUT_OFF : null;
  },
};

const CUT_OFF = 'The game is cut off: its file is shorter than it says.';

/** What a cartridge of the nes has by its header: programs, pictures and perhaps a trainer. */
function nesBytes(head: Buffer): number {
  const [programs = 0, pictures = 0, flags = 0, more = 0] = head.subarray(4, 8);
  // In the second version of the format such a number may mean something else.
  if ((more & 0x0c) === 0x08) return 16;
  return 16 + (flags & 4 ? 512 : 0) + programs * 16 * KILOBYTE + pictures * 8 * KILOBYTE;
}

/** What a program of the ps1 has by its header. */
const exeBytes = (head: Buffer) => (head.length < 0x20 ? 2 * KILOBYTE : 2 * KILOBYTE + head.readUInt32LE(0x1c));

/** From a bank of a cartridge to twice of what any has; a device that read it may have put something before. */
const SNES_BYTES = { least: 32 * KILOBYTE, most: 16 * KILOBYTE * KILOBYTE + 512 };

/** What devices that read cartridges of the snes put before them. Emulators do not all pass over it. */
export const COPIER_HEADER_BYTES = 512;
export const hasCopierHeader = (size: number) => size % KILOBYTE === COPIER_HEADER_BYTES;

/** How the files of discs begin; .cue and .m3u are texts that are looked at elsewhere. */
const PS1: Readonly<Record<string, (head: Buffer) => boolean>> = {
  chd: head => head.toString('latin1', 0, 8) === 'MComprHD',
  pbp: head => head.toString('latin1', 0, 4) === '\0PBP',
  exe: head => head.toString('latin1', 0, 8) === 'PS-X EXE',
  bin: head => head.subarray(0, SECTOR_SYNC.length).equals(SECTOR_SYNC),
  iso: head => head.toString('latin1', 0x8001, 0x8006) === 'CD001',
};
