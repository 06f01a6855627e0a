import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CachedRom, RomCache } from './cache.js';
import { fileName } from './file-name.js';
import type { Logger } from 'pino';
import { clock } from '../lib/clock.js';
import { unlessAborted } from '../lib/deadline.js';
import type { Outbound } from '../outbound/index.js';
import { freshnessOf } from './freshness.js';
import { RomError } from './problem.js';
import { romRequest, type Wanted } from './request.js';

/** Silence after which a server counts as gone, ms: where there is nothing else, and where the file is cached. */
const SILENCE_MS = 30_000;
const SILENCE_CACHED_MS = 5000;

export interface LibraryOptions {
  cache: RomCache;
  outbound: Outbound;
  /** Largest file. */
  maxBytes: number;
  /** A download that takes longer is aborted, ms. */
  timeoutMs: number;
  allowPrivate: boolean;
  log: Logger;
}

/** Progress of a download: bytes received, and in total if the server says so. */
export type Progress = (received: number, total: number | null) => void;

interface Download {
  readonly done: Promise<CachedRom>;
  readonly listeners: Set<Progress>;
  giveUp(reason: string): void;
}

/**
 * Games and apps by address, cached on disk. Concurrent requests for one address share a download, which continues as
 * long as anybody waits for it.
 */
export class RomLibrary {
  readonly #options: LibraryOptions;
  readonly #downloads = new Map<string, Download>();

  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /**
   * Gets a game or an app: from disk if its server confirms that it is unchanged, said so in advance, or is down. An
   * aborted `signal` stops the waiting.
   * @throws RomError, or the signal's reason
   */
  async get(url: string, progress: Progress, signal: AbortSignal, what: Wanted = 'game'): Promise<CachedRom> {
    signal.throwIfAborted();
    const download = this.#downloads.get(url) ?? this.#begin(url, what);
    download.listeners.add(progress);
    try {
      return await unlessAborted(download.done, signal);
    } finally {
      download.listeners.delete(progress);
      if (download.listeners.size === 0) download.giveUp(`Nobody waits for the ${what} any more.`);
    }
  }

  /** Drops a game that was found to be damaged, so that it is downloaded again. */
  discard(url: string): Promise<void> {
    return this.#options.cache.discard(url);
  }

  /** Aborts all downloads; resolves when nothing of them is left. */
  async stop(): Promise<void> {
    const downloads = [...this.#downloads.values()];
    for (const { giveUp } of downloads) giveUp('The service is stopping.');
    await Promise.allSettled(downloads.map(({ done }) => done));
  }

  #begin(url: string, what: Wanted): Download {
    const listeners = new Set<Progress>();
    const tell: Progress = (received, total) => listeners.forEach(listener => listener(received, total));
    const ending = new AbortController();
    const forget = () => {
      if (this.#downloads.get(url) === download) this.#downloads.delete(url);
    };
    const giveUp = (reason: string) => {
      // From now on a new request starts another download.
      forget();
      ending.abort(new RomError(reason));
    };
    const timer = setTimeout(() => giveUp(`The download of the ${what} took too long.`), this.#options.timeoutMs);
    const done = this.#get(url, what, tell, ending.signal).finally(() => {
      clearTimeout(timer);
      forget();
    });
    // If nobody waits any more, nobody needs to know why it failed.
    done.catch(() => undefined);
    const download: Download = { done, listeners, giveUp };
    this.#downloads.set(url, download);
    return download;
  }

  async #get(url: string, what: Wanted, progress: Progress, signal: AbortSignal): Promise<CachedRom> {
    const { cache, log } = this.#options;
    const cached = await cache.find(url);
    if (cached !== null && clock.now() < (cached.freshUntil ?? 0)) return cached;
    try {
      return await this.#ask(url, cached, what, progress, signal);
    } catch (error) {
      if (!(error instanceof RomError) || !error.isServerDown || cached?.mayBeStale !== true) throw error;
      // It may have been evicted meanwhile.
      const left = await cache.find(url);
      if (left === null) throw error;
      log.warn({ reason: error.message, sha256: left.sha256 }, `cached ${what} used without asking its server`);
      return left;
    }
  }

  /** Asks the server, and downloads what is not cached or has changed. */
  async #ask(
    url: string,
    cached: CachedRom | null,
    what: Wanted,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<CachedRom> {
    const { outbound, allowPrivate } = this.#options;
    const { answer, url: final } = await romRequest(url, {
      outbound,
      allowPrivate,
      headers: conditions(cached),
      what,
      silenceMs: cached?.mayBeStale === true ? SILENCE_CACHED_MS : SILENCE_MS,
      signal,
    });
    // Without a listener, a connection lost while the download waits for its turn would be an uncaught error.
    answer.on('error', () => undefined);
    try {
      const { statusCode = 0 } = answer;
      if (statusCode === 304 && cached !== null) return cached;
      if (statusCode !== 200)
        throw new RomError(`The ${what}'s server answered ${statusCode || 'nothing'}.`, {
          isServerDown: statusCode >= 500,
        });
      return await this.#download({ url, final, what }, answer, progress, signal);
    } finally {
      answer.destroy();
    }
  }

  async #download(
    { url, final, what }: { url: string; final: URL; what: Wanted },
    answer: IncomingMessage,
    progress: Progress,
    signal: AbortSignal,
  ): Promise<CachedRom> {
    const { cache, maxBytes } = this.#options;
    const announced = answer.headers['content-length'];
    const total = announced === undefined ? null : Number(announced);
    if (total !== null && total > maxBytes) throw tooLarge(maxBytes, what);
    progress(0, total);
    // While it waits for space, nothing is read from the server.
    answer.setTimeout(0);
    const release = await cache.reserve(total ?? maxBytes, signal);
    answer.setTimeout(SILENCE_MS);
    const file = cache.newFile();
    const hash = createHash('sha256');
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes > maxBytes) return done(tooLarge(maxBytes, what));
        hash.update(chunk);
        progress(bytes, total);
        done(null, chunk);
      },
    });
    try {
      const handle = await open(file, 'wx', 0o600);
      await pipeline(answer, count, handle.createWriteStream(), { signal }).finally(() => handle.close());
      if (bytes === 0) throw new RomError(`The ${what}'s server sent an empty file.`);
      const { etag = null, 'last-modified': modified = null } = answer.headers;
      const name = fileName(answer.headers['content-disposition'], final);
      const { freshUntil, mayBeStale } = freshnessOf(answer.headers, clock.now());
      const about = {
        name,
        bytes,
        sha256: hash.digest('hex'),
        etag,
        modified,
        // A server that can confirm a version is asked at each use, and so is one that redirected, which may change.
        freshUntil: etag === null && modified === null && final.href === new URL(url).href ? freshUntil : null,
        mayBeStale,
      };
      return await cache.add(url, file, about, release);
    } catch (error) {
      await rm(file, { force: true });
      throw lost(error, signal, what);
    } finally {
      release();
    }
  }
}

const tooLarge = (maxBytes: number, what: Wanted) =>
  new RomError(`The ${what} is larger than ${Math.floor(maxBytes / (1 << 20))} MiB.`);

function conditions(cached: CachedRom | null): Record<string, string> {
  if (cached?.etag) return { 'if-none-match': cached.etag };
  return cached?.modified ? { 'if-modified-since': cached.modified } : {};
}

function lost(error: unknown, signal: AbortSignal, what: Wanted): unknown {
  if (error instanceof RomError) return error;
  if (signal.aborted) return signal.reason;
  return new RomError(`The connection to the ${what}'s server was lost.`, { isServerDown: true });
}
