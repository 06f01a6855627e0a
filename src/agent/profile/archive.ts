import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Extract, Pack } from 'tar-stream';
import { RouteError } from '../link/routes.js';

/** Files up to this size are copied as consistently as possible: they may be written to meanwhile. */
const AT_ONCE_BYTES = 16 << 20;
const ATTEMPTS = 3;
const EMPTY = Buffer.alloc(1 << 20);

/** What a kind of session keeps in a profile. */
export interface ProfileContent {
  /** The folder that it is in. */
  readonly folder: string;
  /** Whether a path below the folder, which `isPlain` and is a folder or file, belongs in a profile. */
  keeps(path: string): boolean;
  /** Called with everything unpacked, before it is used. @throws RouteError if it does not fit this session */
  check?(): Promise<void>;
}

/** A file or folder of a profile; `path` is relative to the folder of its content. */
export interface ProfileFile {
  readonly path: string;
  readonly folder: boolean;
  readonly size: number;
  readonly changed: number;
}

/** Whether a path belongs in a profile archive and stays within its folder; nothing else is packed or unpacked. */
export function isKept(content: ProfileContent, path: string): boolean {
  const isPlain = path.split('/').every(part => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'));
  return isPlain && content.keeps(path);
}

/** The files of a profile to be saved, folders before their content. Links and the like are left out. */
export async function profileFiles(content: ProfileContent): Promise<ProfileFile[]> {
  const { folder } = content;
  const found: ProfileFile[] = [];
  const walk = async (below: string): Promise<void> => {
    for (const name of (await readdir(`${folder}/${below}`).catch(() => [])).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      if (!isKept(content, path)) continue;
      // Files removed meanwhile are no longer part of it.
      const entry = await lstat(`${folder}/${path}`).catch(() => null);
      if (entry?.isDirectory()) {
        found.push({ path, folder: true, size: 0, changed: 0 });
        await walk(path);
      } else if (entry?.isFile()) {
        found.push({ path, folder: false, size: entry.size, changed: entry.mtimeMs });
      }
    }
  };
  await walk('');
  return found;
}

/** A fingerprint of the files that changes when any of them does, as an HTTP entity tag. */
export function versionOf(files: readonly ProfileFile[]): string {
  const hash = createHash('sha256');
  for (const { path, size, changed } of files) hash.update(`${path}\0${size}\0${changed}\n`);
  return `"${hash.digest('base64url')}"`;
}

/** An archive of the files of a profile. If it is `live`, they may change while they are read. */
export async function packProfile(folder: string, files: readonly ProfileFile[], live: boolean): Promise<Readable> {
  const { pack: makePack } = await import('tar-stream');
  const pack = makePack();
  addAll(pack, folder, files, live).then(
    () => pack.finalize(),
    (error: Error) => pack.destroy(error),
  );
  return Readable.from(pack, { objectMode: false });
}

/** Unpacks an archive into the content's folder, which must not contain any of its files yet. @throws RouteError */
export async function unpackProfile(archive: Readable, content: ProfileContent): Promise<void> {
  const { extract: makeExtract } = await import('tar-stream');
  const extract = makeExtract();
  const received = pipeline(archive, extract);
  const unpacked = unpackEntries(extract, content);
  try {
    // If the archive is truncated, only the first one reports it.
    await Promise.all([received, unpacked]);
    await content.check?.();
  } catch (error) {
    extract.destroy();
    archive.destroy();
    // A write failure breaks off the archive, too, and is reported first.
    const cause: unknown = await unpacked.then(
      () => error,
      (reason: unknown) => reason,
    );
    await rm(content.folder, { recursive: true, force: true });
    throw refusal(cause);
  }
}

async function unpackEntries(extract: Extract, content: ProfileContent): Promise<void> {
  for await (const entry of extract) {
    const { name, type } = entry.header;
    const path = name.replace(/\/$/, '');
    if (!isKept(content, path) || (type !== 'file' && type !== 'directory')) {
      throw new RouteError(400, 'profile_damaged', 'The archive contains entries that do not belong in a profile.');
    }
    const target = `${content.folder}/${path}`;
    await mkdir(type === 'directory' ? target : dirname(target), { recursive: true, mode: 0o700 });
    if (type === 'directory') {
      entry.resume();
      continue;
    }
    const file = await open(target, 'wx', 0o600);
    try {
      await fill(file, entry);
    } finally {
      await file.close();
    }
  }
}

/** Writes a file; what is empty of it takes no room, as on the disks of virtual devices. */
async function fill(file: FileHandle, content: AsyncIterable<unknown>): Promise<void> {
  let at = 0;
  for await (const chunk of content) {
    const bytes = chunk as Buffer;
    const isEmpty = bytes.length <= EMPTY.length && bytes.equals(EMPTY.subarray(0, bytes.length));
    for (let done = isEmpty ? bytes.length : 0; done < bytes.length;)
      done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    at += bytes.length;
  }
  await file.truncate(at);
}

function refusal(error: unknown): RouteError {
  if (error instanceof RouteError) return error;
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') {
    return new RouteError(413, 'profile_too_large', 'The profile is larger than the home folder of the session.');
  }
  return new RouteError(400, 'profile_damaged', `The profile cannot be unpacked: ${(error as Error).message}`);
}

async function addAll(pack: Pack, folder: string, files: readonly ProfileFile[], live: boolean): Promise<void> {
  for (const { path, folder: isFolder, size } of files) {
    const name = `${folder}/${path}`;
    if (isFolder) {
      await addWhole(pack, path, null);
    } else if (size === 0 || (live && size <= AT_ONCE_BYTES)) {
      const bytes = size === 0 ? Buffer.alloc(0) : await stableCopy(name);
      if (bytes !== null) await addWhole(pack, path, bytes);
    } else {
      await pipeline(exactly(name, size), pack.entry({ name: path, size, mode: 0o600 }));
    }
  }
}

/** Adds a folder, or a file with its content. */
function addWhole(pack: Pack, path: string, bytes: Buffer | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    if (bytes === null) pack.entry({ name: path, type: 'directory', mode: 0o700 }, done);
    else pack.entry({ name: path, mode: 0o600 }, bytes, done);
  });
}

/** A consistent copy of a file, if it is quiet for long enough to be read; null if it is gone. */
async function stableCopy(path: string): Promise<Buffer | null> {
  const moment = () =>
    stat(path, { bigint: true }).then(
      ({ mtimeNs, size }) => `${mtimeNs}/${size}`,
      () => null,
    );
  for (let attempt = 1; ; attempt++) {
    const before = await moment();
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null || attempt === ATTEMPTS || before === (await moment())) return bytes;
  }
}

/** This many bytes of a file, which may grow or shrink meanwhile: missing bytes are zero. */
function exactly(path: string, size: number): Readable {
  return Readable.from(
    (async function* () {
      let left = size;
      for await (const chunk of createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>) {
        left -= chunk.length;
        yield chunk;
      }
      for (; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
    })(),
    { objectMode: false },
  );
}
