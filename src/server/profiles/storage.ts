import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** The storage of encrypted profiles. */
export interface Storage {
  /**
   * Writes all of `content` or nothing: until the write is complete, the previous content stays. Returns the bytes
   * written.
   */
  write(id: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number>;
  /** Null if it does not exist. */
  read(id: string): Promise<Readable | null>;
  /** Succeeds if it does not exist. */
  remove(id: string): Promise<void>;
  /** Removes remains of writes that were interrupted long ago. */
  tidy(): Promise<void>;
}

/** Age after which a temporary file must be left over from an interrupted write. */
const STALE_MS = 86_400_000;
const UNFINISHED = '.part';

/** Stores profiles as files in a folder. */
export class FolderStorage implements Storage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(id: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const part = join(this.#folder, `${id}.${randomBytes(6).toString('hex')}${UNFINISHED}`);
    const file = await open(part, 'wx', 0o600);
    try {
      let bytes = 0;
      for await (const chunk of content) {
        signal.throwIfAborted();
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      await file.sync();
      await file.close();
      signal.throwIfAborted();
      await rename(part, this.#path(id));
      await this.#syncFolder();
      return bytes;
    } catch (error) {
      await file.close().catch(() => {});
      await rm(part, { force: true });
      throw error;
    }
  }

  async read(id: string): Promise<Readable | null> {
    try {
      return (await open(this.#path(id), 'r')).createReadStream();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  async tidy(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter(each => each.endsWith(UNFINISHED))) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && found.mtimeMs < Date.now() - STALE_MS) await rm(path, { force: true });
    }
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.profile`);
  }

  /** The new directory entry must survive a power failure too. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
