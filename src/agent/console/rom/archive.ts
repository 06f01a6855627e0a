import { execFile, spawn } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileName, isSystemFile, readingsOf, textOf } from './file-names.js';
import { RomProblem } from './problem.js';
import { writeFiles } from './write-files.js';

const run = promisify(execFile);

/** A zip, with files and without, and a 7z. */
const MAGICS: readonly Buffer[] = ['504b0304', '504b0506', '377abcaf271c'].map(magic => Buffer.from(magic, 'hex'));
const MAX_ENTRIES = 500;
const LIST_BYTES = 4 << 20;
const COMPLAINT_BYTES = 64 << 10;
const UNPACK_TIMEOUT_MS = 120_000;
const LIMITS = { timeout: UNPACK_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;

/** An entry of an archive as `7z l -slt` lists it. */
interface Entry {
  /** With slashes between its folders, whatever the archive has. */
  path: string;
  bytes: number;
  attributes: string;
  isFolder: boolean;
}

/** Whether a file that begins so is a zip or 7z archive. */
export const isArchive = (head: Buffer) => MAGICS.some(magic => head.subarray(0, magic.length).equals(magic));

/**
 * Unpacks an archive of at most `maxBytes` unpacked bytes into a folder, without what systems add to archives. Files
 * are written under names that each file system takes, whatever those in the archive are made of.
 * @throws RomProblem for one that is damaged, too large, locked, or wants to write elsewhere
 */
export async function unpack(archive: string, folder: string, maxBytes: number, ended: AbortSignal): Promise<void> {
  const entries = entriesOf(await list(archive, ended));
  checkEntries(entries, maxBytes);
  await extract(archive, entries, folder, ended);
}

/** Reads the listing of an archive, each of whose characters is a byte. */
export function entriesOf(listing: string): Entry[] {
  return listing.split(/\r?\n\r?\n/).flatMap(block => {
    const fields = new Map(
      [...block.matchAll(/^(\w[\w ]*) = ?(.*)$/gm)].map(([, key = '', value = '']) => [key, value]),
    );
    const path = fields.get('Path');
    if (path === undefined) return [];
    const attributes = fields.get('Attributes') ?? '';
    const isFolder = fields.get('Folder') === '+' || attributes.startsWith('D');
    return [{ path: pathOf(path), bytes: Number(fields.get('Size') ?? 0), attributes, isFolder }];
  });
}

/**
 * A path as it is listed, read. Programs of Windows wrote zips with backslashes, which the second byte of a Japanese
 * character looks like.
 */
function pathOf(listed: string): string {
  const bytes = Buffer.from(listed, 'latin1');
  const path = textOf(bytes).replaceAll(isUtf8(bytes) ? /\\/g : /(?<=^|[\0-\x7f])\\/g, '/');
  return path.includes('\\') ? (readingsOf(path).find(reading => !reading.includes('\\')) ?? path) : path;
}

/** @throws RomProblem */
export function checkEntries(entries: readonly Entry[], maxBytes: number): void {
  if (entries.length === 0) throw new RomProblem('The archive is empty.');
  for (const { path, attributes } of entries) {
    const leaves = path.startsWith('/') || path.split('/').includes('..') || path.includes('\0');
    if (leaves || / l/.test(` ${attributes}`))
      throw new RomProblem('The archive has paths that lead out of its folder.');
  }
  if (entries.filter(isKept).length > MAX_ENTRIES)
    throw new RomProblem(`The archive has more than ${MAX_ENTRIES} files.`);
  const bytes = entries.reduce((sum, entry) => sum + (Number.isFinite(entry.bytes) ? entry.bytes : Infinity), 0);
  if (bytes > maxBytes) throw new RomProblem(`The archive is larger than ${Math.floor(maxBytes / 1e6)} MB unpacked.`);
}

const isKept = ({ path }: Entry) => !isSystemFile(path);

async function list(archive: string, signal: AbortSignal): Promise<string> {
  const options = { ...LIMITS, signal, maxBuffer: LIST_BYTES, encoding: 'latin1' } as const;
  try {
    return (await run('7z', ['l', '-slt', '-ba', '-p', '--', archive], options)).stdout;
  } catch (error) {
    const { code, stderr = '', stdout = '' } = error as { code?: unknown; stderr?: string; stdout?: string };
    // The program is not there, or was ended: that is not the archive's fault.
    if (typeof code === 'string') throw error;
    throw refused(stderr + stdout);
  }
}

/** Writes the files as they come out of the unpacker, one after the other, so that only their sizes are its word. */
async function extract(archive: string, entries: readonly Entry[], folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn('7z', ['x', '-so', '-bd', '-p', '--', archive], {
    ...LIMITS,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  closed.catch(() => undefined);
  let complaint = '';
  child.stderr.on('data', text => (complaint = `${complaint}${text}`.slice(-COMPLAINT_BYTES)));
  const files = entries
    .filter(({ isFolder }) => !isFolder)
    .map(entry => ({ bytes: entry.bytes, path: isKept(entry) ? pathIn(folder, entry) : null }));
  try {
    const isWhole = await writeFiles(child.stdout, files);
    if (!isWhole) child.kill('SIGKILL');
    const [code] = (await closed) as [number | null];
    if (code !== 0 || !isWhole) throw refused(complaint);
  } finally {
    child.kill('SIGKILL');
  }
}

const pathIn = (folder: string, { path }: Entry) =>
  join(folder, ...path.split('/').map(part => (part === '.' ? '' : fileName(part))));

const refused = (complaint: string) =>
  new RomProblem(/password/i.test(complaint) ? 'The archive is locked with a password.' : 'The archive is damaged.');
