import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is known of a game in the cache. */
export interface CachedRom {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  /** Of its content, hex. */
  readonly sha256: string;
  readonly etag: string | null;
  readonly modified: string | null;
}

type About = Omit<CachedRom, 'path'>;

const PARTIAL = '.part';
const ABOUT = '.json';

/** Games on the disk, by their addresses; the ones not used for longest go first. */
export class RomCache {
  readonly #folder: string;
  readonly #maxBytes: number;

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Makes the folder, and removes what a killed process left in it. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const partial = (await readdir(this.#folder)).filter(name => name.endsWith(PARTIAL));
    await Promise.all(partial.map(name => rm(join(this.#folder, name), { force: true })));
  }

  /** The game of an address; null where it is not there. */
  async find(url: string): Promise<CachedRom | null> {
    const path = this.#pathOf(url);
    try {
      const about = JSON.parse(await readFile(path + ABOUT, 'utf8')) as About;
      if ((await stat(path)).size !== about.bytes || typeof about.sha256 !== 'string') return null;
      const now = new Date();
      await utimes(path, now, now);
      return { ...about, path };
    } catch {
      return null;
    }
  }

  /** Removes the game of an address, which is damaged. */
  async discard(url: string): Promise<void> {
    await this.#remove(this.#pathOf(url));
  }

  /** A file to write a game to, not in the cache yet. */
  newFile(): string {
    return join(this.#folder, randomBytes(12).toString('hex') + PARTIAL);
  }

  /** Takes a file that was written into the cache, and makes room for it. */
  async keep(url: string, file: string, about: About): Promise<CachedRom> {
    const path = this.#pathOf(url);
    await rename(file, path);
    await writeFile(path + ABOUT + PARTIAL, JSON.stringify(about), { mode: 0o600 });
    await rename(path + ABOUT + PARTIAL, path + ABOUT);
    await this.#trim(path);
    return { ...about, path };
  }

  #pathOf(url: string): string {
    return join(this.#folder, createHash('sha256').update(url).digest('hex'));
  }

  async #remove(path: string): Promise<void> {
    await Promise.all([rm(path, { force: true }), rm(path + ABOUT, { force: true })]);
  }

  /** A file that is being read stays readable after it was removed. */
  async #trim(newest: string): Promise<void> {
    const names = (await readdir(this.#folder)).filter(name => !name.endsWith(ABOUT) && !name.endsWith(PARTIAL));
    const files = await Promise.all(
      names.map(async name => {
        const path = join(this.#folder, name);
        const { size, mtimeMs } = await stat(path);
        return { path, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= this.#maxBytes) return;
      if (path === newest) continue;
      await this.#remove(path);
      total -= size;
    }
  }
}
