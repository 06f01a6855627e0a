import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SpaceAllocator } from './space-allocator.js';

/** Metadata of a cached game. */
export interface CachedRom {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of its content, hex. */
  readonly sha256: string;
  readonly etag: string | null;
  readonly modified: string | null;
  /** Until when its server need not be asked about it, UTC milliseconds; null: at each use. */
  readonly freshUntil: number | null;
  /** Whether it may be used while its server cannot be asked. */
  readonly mayBeStale: boolean;
}

type About = Omit<CachedRom, 'path'>;

const UNKNOWN = { freshUntil: null, mayBeStale: false };

const PARTIAL = '.part';
const ABOUT = '.json';

/** Games on disk by address, evicted least recently used first. Files being written count towards the size. */
export class RomCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #space: SpaceAllocator;
  #changing: Promise<void> = Promise.resolve();

  /**
   * Holds `maxBytes`; a file of `fileBytes` always fits, even if that is more. `writers` files may be written
   * concurrently.
   */
  constructor(
    folder: string,
    { maxBytes, fileBytes, writers }: { maxBytes: number; fileBytes: number; writers: number },
  ) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#space = new SpaceAllocator({ bytes: Math.max(maxBytes, fileBytes), places: writers });
  }

  /** Creates the folder, and removes what a killed process left in it: partial files, and files without metadata. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#folder);
    const games = names.filter(name => !name.endsWith(PARTIAL) && names.includes(name + ABOUT));
    const whole = new Set(games.flatMap(name => [name, name + ABOUT]));
    await Promise.all(
      names.filter(name => !whole.has(name)).map(name => rm(join(this.#folder, name), { force: true })),
    );
  }

  /**
   * Reserves space for a file of this size, waiting for other writers if necessary.
   * @returns releases the space, once the file is kept or removed
   */
  async reserve(bytes: number, signal: AbortSignal): Promise<() => void> {
    const release = await this.#space.allocate(bytes, signal);
    try {
      await this.#alone(() => this.#trim(null));
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The game of an address; null if it is not cached. */
  async find(url: string): Promise<CachedRom | null> {
    const path = this.#pathOf(url);
    try {
      const about = JSON.parse(await readFile(path + ABOUT, 'utf8')) as About;
      if ((await stat(path)).size !== about.bytes || typeof about.sha256 !== 'string') return null;
      const now = new Date();
      await utimes(path, now, now);
      // Older versions did not write all of it.
      return { ...UNKNOWN, ...about, path };
    } catch {
      return null;
    }
  }

  /** Removes the game of an address, which is damaged. */
  async discard(url: string): Promise<void> {
    await this.#remove(this.#pathOf(url));
  }

  /** Creates a file for writing a game, not in the cache yet. */
  newFile(): string {
    return join(this.#folder, randomBytes(12).toString('hex') + PARTIAL);
  }

  /** Adds a written file to the cache, and releases its reserved space. On failure nothing of it is left. */
  async add(url: string, file: string, about: About, release: () => void): Promise<CachedRom> {
    const path = this.#pathOf(url);
    const aboutFile = file + ABOUT;
    try {
      await writeFile(aboutFile, JSON.stringify(about), { mode: 0o600 });
      await this.#alone(async () => {
        await rename(file, path);
        await rename(aboutFile, path + ABOUT);
        release();
        await this.#trim(path);
      });
    } catch (error) {
      await Promise.all([rm(aboutFile, { force: true }), rm(file, { force: true }), this.#remove(path)]);
      throw error;
    }
    return { ...about, path };
  }

  #pathOf(url: string): string {
    return join(this.#folder, createHash('sha256').update(url).digest('hex'));
  }

  async #remove(path: string): Promise<void> {
    await Promise.all([rm(path, { force: true }), rm(path + ABOUT, { force: true })]);
  }

  /** Runs one change of the cache after the other: none sees a file both as a game and as one being written. */
  #alone(change: () => Promise<void>): Promise<void> {
    const changed = this.#changing.then(change);
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  /**
   * Evicts games to make room for what is being written; `newest` stays. A file that is being read stays readable after
   * removal.
   */
  async #trim(newest: string | null): Promise<void> {
    const names = (await readdir(this.#folder)).filter(name => !name.endsWith(ABOUT) && !name.endsWith(PARTIAL));
    const files = await Promise.all(
      names.map(async name => {
        const path = join(this.#folder, name);
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
        return { path, size, mtimeMs };
      }),
    );
    const allowed = this.#maxBytes - this.#space.taken;
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= allowed) return;
      if (path === newest) continue;
      await this.#remove(path);
      total -= size;
    }
  }
}
