import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CachedRom, RomCache } from './cache.js';
import { fileName } from './file-name.js';
import type { Outbound } from '../outbound/index.js';
import { RomError } from './problem.js';
import { romRequest } from './request.js';

export interface LibraryOptions {
  cache: RomCache;
  outbound: Outbound;
  /** Largest file. */
  maxBytes: number;
  /** A download that takes longer is given up, ms. */
  timeoutMs: number;
  allowPrivate: boolean;
}

/** How far a download is: bytes, and how many there will be where the server says so. */
export type Progress = (received: number, total: number | null) => void;

interface Download {
  readonly done: Promise<CachedRom>;
  readonly listeners: Set<Progress>;
  giveUp(reason: string): void;
}

/**
 * Games from their addresses, kept on the disk. Downloads of one address at the same time are one, which goes on
 * until it is done or the library is stopped: who asks next has it at once.
 */
export class RomLibrary {
  readonly #options: LibraryOptions;
  readonly #downloads = new Map<string, Download>();

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /**
   * Gets a game: from the disk where its server says that it is still the same.
   * @throws RomError
   */
  async get(url: string, progress: Progress): Promise<CachedRom> {
    const download = this.#downloads.get(url) ?? this.#begin(url);
    download.listeners.add(progress);
    try {
      return await download.done;
    } finally {
      download.listeners.delete(progress);
    }
  }

  /** Forgets a game that was found to be damaged: it is downloaded again. */
  discard(url: string): Promise<void> {
    return this.#options.cache.discard(url);
  }

  /** Gives up all downloads. */
  stop(): void {
    for (const { giveUp } of this.#downloads.values()) giveUp('The service is stopping.');
  }

  #begin(url: string): Download {
    const listeners = new Set<Progress>();
    const tell: Progress = (received, total) => listeners.forEach(listener => listener(received, total));
    const ending = new AbortController();
    const giveUp = (reason: string) => ending.abort(new RomError(reason));
    const timer = setTimeout(() => giveUp('The download of the game took too long.'), this.#options.timeoutMs);
    const done = this.#get(url, tell, ending.signal).finally(() => {
      clearTimeout(timer);
      this.#downloads.delete(url);
    });
    const download = { done, listeners, giveUp };
    this.#downloads.set(url, download);
    return download;
  }

  async #get(url: string, progress: Progress, signal: AbortSignal): Promise<CachedRom> {
    const { cache, outbound, allowPrivate } = this.#options;
    const cached = await cache.find(url);
    const { answer, url: final } = await romRequest(url, { outbound, allowPrivate, headers: conditions(cached), signal });
    try {
      if (answer.statusCode === 304 && cached !== null) return cached;
      if (answer.statusCode !== 200) throw new RomError(`The game's server answered ${answer.statusCode ?? 'nothing'}.`);
      return await this.#download(url, final, answer, progress, signal);
    } finally {
      answer.destroy();
    }
  }

  async #download(url: string, final: URL, answer: IncomingMessage, progress: Progress, signal: AbortSignal): Promise<CachedRom> {
    const { cache, maxBytes } = this.#options;
    const announced = answer.headers['content-length'];
    const total = announced === undefined ? null : Number(announced);
    if (total !== null && total > maxBytes) throw tooLarge(maxBytes);
    const file = cache.newFile();
    const hash = createHash('sha256');
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes > maxBytes) return done(tooLarge(maxBytes));
        hash.update(chunk);
        progress(bytes, total);
        done(null, chunk);
      },
    });
    try {
      await pipeline(answer, count, createWriteStream(file, { mode: 0o600 }), { signal });
      if (bytes === 0) throw new RomError("The game's server sent an empty file.");
      const { etag = null, 'last-modified': modified = null } = answer.headers;
      const name = fileName(answer.headers['content-disposition'], final);
      return await cache.keep(url, file, { name, bytes, sha256: hash.digest('hex'), etag, modified });
    } catch (error) {
      await rm(file, { force: true });
      throw lost(error, signal);
    }
  }
}

const tooLarge = (maxBytes: number) => new RomError(`The game is larger than ${Math.floor(maxBytes / (1 << 20))} MiB.`);

function conditions(cached: CachedRom | null): Record<string, string> {
  if (cached?.etag) return { 'if-none-match': cached.etag };
  return cached?.modified ? { 'if-modified-since': cached.modified } : {};
}

function lost(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof RomError) return error;
  if (signal.aborted) return signal.reason;
  return new RomError("The connection to the game's server was lost.");
}
