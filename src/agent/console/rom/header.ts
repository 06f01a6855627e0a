import type { ConsoleKind } from '../../../protocol/generated/schemas.js';
import { isN64 } from './cartridge-n64.js';
import { RomProblem } from './problem.js';

/** So much of a file's beginning is enough to tell what it is: the third place of the SNES's header is the farthest. */
export const HEAD_BYTES = 0x410000;

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
  snes: (_, head, size) =>
    isSnes(head, size) ? null : 'This is not a game for the snes: it has no header of a cartridge.',
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

const HEADER_PLACES = [0x7fc0, 0xffc0, 0x40ffc0];
const MAP_MODES = new Set([0x20, 0x21, 0x22, 0x23, 0x25, 0x30, 0x31, 0x32, 0x35, 0x3a]);

/** What devices that read cartridges of the snes put before them. Emulators do not all pass over it. */
export const COPIER_HEADER_BYTES = 512;
export const hasCopierHeader = (size: number) => size % KILOBYTE === COPIER_HEADER_BYTES;

/** A header at one of its places whose checksum and complement agree, or whose map mode, size and title make sense. */
function isSnes(head: Buffer, size: number): boolean {
  if (size < 32 * KILOBYTE || size > 16 * KILOBYTE * KILOBYTE) return false;
  const skip = hasCopierHeader(size) ? COPIER_HEADER_BYTES : 0;
  return HEADER_PLACES.map(place => place + skip).some(at => {
    if (head.length < at + 0x20) return false;
    const sums = head.readUInt16LE(at + 0x1c) ^ head.readUInt16LE(at + 0x1e);
    const title = head.subarray(at, at + 21);
    const sizeCode = head.readUInt8(at + 0x17);
    const makesSense = MAP_MODES.has(head.readUInt8(at + 0x15)) && sizeCode >= 5 && sizeCode <= 14;
    return sums === 0xffff || (makesSense && title.every(byte => byte >= 0x20));
  });
}

/** How the files of discs begin; .cue and .m3u are texts that are looked at elsewhere. */
const PS1: Readonly<Record<string, (head: Buffer) => boolean>> = {
  chd: head => head.toString('latin1', 0, 8) === 'MComprHD',
  pbp: head => head.toString('latin1', 0, 4) === '\0PBP',
  exe: head => head.toString('latin1', 0, 8) === 'PS-X EXE',
  bin: head => head.subarray(0, SECTOR_SYNC.length).equals(SECTOR_SYNC),
  iso: head => head.toString('latin1', 0x8001, 0x8006) === 'CD001',
};
