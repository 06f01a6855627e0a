import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RomProblem } from './problem.js';

const run = promisify(execFile);

/** A zip, with files and without, and a 7z. */
const MAGICS: readonly Buffer[] = ['504b0304', '504b0506', '377abcaf271c'].map(magic => Buffer.from(magic, 'hex'));
const MAX_ENTRIES = 500;
const LIST_BYTES = 4 << 20;
const UNPACK_TIMEOUT_MS = 120_000;

/** An entry of an archive as `7z l -slt` lists it. */
interface Entry {
  path: string;
  bytes: number;
  attributes: string;
}

/** Whether a file that begins so is a zip or 7z archive. */
export const isArchive = (head: Buffer) => MAGICS.some(magic => head.subarray(0, magic.length).equals(magic));

/**
 * Unpacks an archive of at most `maxBytes` unpacked bytes into a folder.
 * @throws RomProblem for one that is damaged, too large, locked, or wants to write elsewhere
 */
export async function unpack(archive: string, folder: string, maxBytes: number, ended: AbortSignal): Promise<void> {
  const listing = await sevenZip(['l', '-slt', '-ba', '-p', '--', archive], ended);
  checkEntries(entriesOf(listing), maxBytes);
  await sevenZip(['x', '-y', '-bd', '-snl-', '-p', `-o${folder}`, '--', archive], ended);
}

/** Reads the listing of an archive. */
export function entriesOf(listing: string): Entry[] {
  return listing.split(/\r?\n\r?\n/).flatMap(block => {
    const fields = new Map(
      [...block.matchAll(/^(\w[\w ]*) = ?(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
    );
    const path = fields.get('Path');
    return path === undefined
      ? []
      : [{ path, bytes: Number(fields.get('Size') ?? 0), attributes: fields.get('Attributes') ?? '' }];
  });
}

/** @throws RomProblem */
export function checkEntries(entries: readonly Entry[], maxBytes: number): void {
  if (entries.length === 0) throw new RomProblem('The archive is empty.');
  if (entries.length > MAX_ENTRIES) throw new RomProblem(`The archive has more than ${MAX_ENTRIES} files.`);
  for (const { path, attributes } of entries) {
    const leaves = path.startsWith('/') || path.includes('\\') || path.split('/').includes('..') || path.includes('\0');
    if (leaves || / l/.test(` ${attributes}`))
      throw new RomProblem('The archive has paths that lead out of its folder.');
  }
  const bytes = entries.reduce((sum, entry) => sum + (Number.isFinite(entry.bytes) ? entry.bytes : Infinity), 0);
  if (bytes > maxBytes) throw new RomProblem(`The archive is larger than ${Math.floor(maxBytes / 1e6)} MB unpacked.`);
}

async function sevenZip(args: readonly string[], signal: AbortSignal): Promise<string> {
  try {
    const { stdout } = await run('7z', args, {
      maxBuffer: LIST_BYTES,
      timeout: UNPACK_TIMEOUT_MS,
      killSignal: 'SIGKILL',
      signal,
    });
    return stdout;
  } catch (error) {
    const { code, stderr = '', stdout = '' } = error as { code?: unknown; stderr?: string; stdout?: string };
    // The program is not there, or was ended: that is not the archive's fault.
    if (typeof code === 'string') throw error;
    // What of it is there is as it should be: the caller knows what there is no room for.
    if (/No space left on device/.test(stderr + stdout)) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
    const isLocked = /password/i.test(stderr + stdout);
    throw new RomProblem(isLocked ? 'The archive is locked with a password.' : 'The archive is damaged.');
  }
}
