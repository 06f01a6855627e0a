import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

/** A file or folder of a zip archive. */
export interface ZipEntry {
  /** With slashes, but without a trailing one. */
  readonly path: string;
  readonly folder: boolean;
  /** Unpacked size in bytes, according to the archive. */
  readonly size: number;
  readonly packed: number;
  readonly deflated: boolean;
  /** Offset of its own header in the archive. */
  readonly at: number;
}

export interface ZipLimits {
  entries: number;
  /** Total unpacked size in bytes. */
  bytes: number;
}

/** An archive that is damaged, or contains something that must not be unpacked; the message says what. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

const END = { signature: 0x06054b50, bytes: 22, commentMax: 0xffff };
const CENTRAL = { signature: 0x02014b50, bytes: 46 };
const LOCAL = { signature: 0x04034b50, bytes: 30 };
const ENCRYPTED = 1;
const UTF8 = 0x800;
const STORED = 0;
const DEFLATED = 8;
const PATH_MAX = 1024;
const PART_MAX = 255;

/** Lists an archive by its central directory. Unpacks nothing. @throws ZipError */
export function zipEntries(archive: Buffer, limits: ZipLimits): ZipEntry[] {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > limits.entries) throw new ZipError(`It has more than ${limits.entries} entries.`);
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL.bytes > end || archive.readUInt32LE(at) !== CENTRAL.signature) throw damaged();
    const next =
      at +
      CENTRAL.bytes +
      archive.readUInt16LE(at + 28) +
      archive.readUInt16LE(at + 30) +
      archive.readUInt16LE(at + 32);
    if (next > end) throw damaged();
    entries.push(entryAt(archive, at));
    at = next;
  }
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (bytes > limits.bytes) throw new ZipError(`Unpacked it would have more than ${limits.bytes} bytes.`);
  checkTree(entries);
  return entries;
}

/** The content of a file in an archive. @throws ZipError */
export async function zipContent(archive: Buffer, { path, at, size, packed, deflated }: ZipEntry): Promise<Buffer> {
  if (at + LOCAL.bytes > archive.length || archive.readUInt32LE(at) !== LOCAL.signature) throw damaged();
  const start = at + LOCAL.bytes + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const bytes = archive.subarray(start, start + packed);
  if (bytes.length !== packed) throw damaged();
  const content = deflated ? await unpacked(bytes, size) : bytes;
  if (content.length !== size) throw new ZipError(`"${path}" is not as long as the archive says.`);
  return content;
}

/** Limits the output to the announced size, whatever the data would expand to. */
async function unpacked(bytes: Buffer, size: number): Promise<Buffer> {
  try {
    return await inflate(bytes, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw damaged();
  }
}

function endOf(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END.bytes - END.commentMax);
  for (let at = archive.length - END.bytes; at >= lowest; at--) {
    if (archive.readUInt32LE(at) === END.signature) return at;
  }
  throw new ZipError('It is not a zip archive.');
}

function entryAt(archive: Buffer, at: number): ZipEntry {
  const flags = archive.readUInt16LE(at + 8);
  const method = archive.readUInt16LE(at + 10);
  const name = nameOf(archive.subarray(at + CENTRAL.bytes, at + CENTRAL.bytes + archive.readUInt16LE(at + 28)), flags);
  const folder = name.endsWith('/');
  const path = folder ? name.slice(0, -1) : name;
  checkPath(path);
  const type = (archive.readUInt32LE(at + 38) >>> 16) & 0o170000;
  if (type !== 0 && type !== (folder ? 0o040000 : 0o100000))
    throw new ZipError(`"${path}" is neither a file nor a folder.`);
  if (flags & ENCRYPTED) throw new ZipError(`"${path}" is encrypted.`);
  if (method !== STORED && method !== DEFLATED) throw new ZipError(`"${path}" is compressed in an unknown way.`);
  return {
    path,
    folder,
    size: archive.readUInt32LE(at + 24),
    packed: archive.readUInt32LE(at + 20),
    deflated: method === DEFLATED,
    at: archive.readUInt32LE(at + 42),
  };
}

function nameOf(bytes: Buffer, flags: number): string {
  const isAscii = bytes.every(byte => byte < 0x80);
  try {
    if (isAscii || flags & UTF8) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Named below.
  }
  throw new ZipError('It has a name that is not UTF-8.');
}

function checkPath(path: string): void {
  const parts = path.split('/');
  const plain =
    path.length <= PATH_MAX &&
    parts.every(part => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= PART_MAX);
  if (!plain || /[\\\x00-\x1f\x7f]/.test(path) || /^[A-Za-z]:/.test(path))
    throw new ZipError(`"${path.slice(0, 100)}" is not a plain path below the archive's root.`);
}

/** Rejects duplicate names, and entries below a file. */
function checkTree(entries: readonly ZipEntry[]): void {
  const files = new Set<string>();
  const seen = new Set<string>();
  for (const { path, folder } of entries) {
    if (seen.has(path)) throw new ZipError(`"${path}" is in it twice.`);
    seen.add(path);
    if (!folder) files.add(path);
  }
  for (const { path } of entries) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      if (files.has(path.slice(0, cut))) throw new ZipError(`"${path.slice(0, cut)}" is both a file and a folder.`);
    }
  }
}

const damaged = () => new ZipError('It is damaged.');
