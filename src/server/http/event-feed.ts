import type { Response } from 'express';
import type { Logger } from 'pino';
import type { EventFilter, EventStore, KeptEvent } from '../store/index.js';
import { HttpError } from '../model/index.js';

/** Bounds of what readers of events may cost. */
export interface FeedLimits {
  readers: number;
  /** How often other replicas' events are looked for, ms. */
  lookMs: number;
  /** After this long without an event a reader is told how far it is, ms. */
  quietMs: number;
  /** A reader that takes nothing for this long is disconnected, ms. */
  stalledMs: number;
  /** Events that are read for one reader at a time. */
  page: number;
}

const LIMITS: FeedLimits = { readers: 100, lookMs: 1000, quietMs: 15_000, stalledMs: 30_000, page: 100 };

/** Where a reader goes on, and what it reads. */
export interface Reading {
  /** Number of the last event that it has; null: it begins with the next one. */
  after: number | null;
  filter: EventFilter;
}

interface Reader {
  readonly response: Response;
  readonly filter: EventFilter;
  /** Number of the last event that it was given, or that is not for it. */
  cursor: number;
  /** When it was last given something, ms of performance.now(). */
  toldAt: number;
  isPulled: boolean;
}

/**
 * Gives readers the events of sessions as they are added, as server-sent events. Each reads the store at its own pace, a
 * page at a time, so that a slow one holds up nobody and is waited for with one page in memory.
 */
export class EventFeed {
  readonly #store: Pick<EventStore, 'range' | 'page'>;
  readonly #log: Logger;
  readonly #limits: FeedLimits;
  readonly #readers = new Set<Reader>();
  readonly #pulls = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #look: 'idle' | 'looking' | 'again' = 'idle';
  #isStopped = false;

  constructor(store: Pick<EventStore, 'range' | 'page'>, log: Logger, limits: FeedLimits = LIMITS) {
    this.#store = store;
    this.#log = log;
    this.#limits = limits;
  }

  /** How many readers there are. */
  get size(): number {
    return this.#readers.size;
  }

  /**
   * Answers with events until the reader leaves, or reads nothing for too long.
   * @throws HttpError if there are too many readers, or the service is stopping
   */
  async read(response: Response, { after, filter }: Reading): Promise<void> {
    const { newest } = await this.#store.range();
    if (this.#isStopped) throw new HttpError('stopping');
    if (this.#readers.size >= this.#limits.readers)
      throw new HttpError('capacity', { message: 'Too many read events now; try again later.' });
    if (response.destroyed) return;
    const reader: Reader = { response, filter, cursor: after ?? newest, toldAt: 0, isPulled: false };
    response.once('close', () => this.#leave(reader));
    this.#readers.add(reader);
    response
      .status(200)
      .set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    // What it has never had cannot be missing, but the store is older than the reader where it was restored.
    if (reader.cursor > newest) this.#miss(reader, newest);
    this.#tell(reader, `id: ${reader.cursor}\n\n`);
    this.#timer ??= setInterval(() => this.wake(), this.#limits.lookMs);
    this.wake();
  }

  /** Looks for events now, since some were added. */
  wake(): void {
    if (this.#readers.size === 0) return;
    if (this.#look !== 'idle') {
      this.#look = 'again';
      return;
    }
    this.#look = 'looking';
    const looking = this.#lookNow().finally(() => {
      this.#pulls.delete(looking);
      const again = this.#look === 'again';
      this.#look = 'idle';
      if (again) this.wake();
    });
    this.#pulls.add(looking);
  }

  /** Ends all answers; readers go on at another time by the ID of their last event. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const { response } of this.#readers) {
      response.end();
      if (response.writableNeedDrain) response.destroy();
    }
    await Promise.all(this.#pulls);
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #lookNow(): Promise<void> {
    try {
      const { newest } = await this.#store.range();
      const now = performance.now();
      for (const reader of this.#readers) {
        if (reader.isPulled) continue;
        if (reader.cursor < newest) this.#begin(reader, newest);
        else if (now - reader.toldAt > this.#limits.quietMs) this.#tell(reader, `id: ${reader.cursor}\n\n`);
      }
    } catch (error) {
      if (!this.#isStopped) this.#log.error({ err: error }, 'events not queried');
    }
  }

  #begin(reader: Reader, newest: number): void {
    reader.isPulled = true;
    const pull = this.#pull(reader, newest)
      .catch((error: unknown) => {
        if (this.#isStopped) return;
        this.#log.error({ err: error }, 'events not read');
        // It goes on by the ID of its last event.
        reader.response.destroy();
      })
      .finally(() => {
        reader.isPulled = false;
        this.#pulls.delete(pull);
      });
    this.#pulls.add(pull);
  }

  /** Gives a reader all events up to `newest`. */
  async #pull(reader: Reader, newest: number): Promise<void> {
    const { page, stalledMs } = this.#limits;
    while (reader.cursor < newest && this.#isThere(reader)) {
      const events = await this.#store.page(reader.cursor, newest, page, reader.filter);
      const { pruned } = await this.#store.range();
      if (!this.#isThere(reader)) return;
      // What is deleted at this moment may have been read before.
      const begin = Math.min(pruned, (events[0]?.seq ?? Infinity) - 1);
      if (begin > reader.cursor) this.#miss(reader, begin);
      const last = events.at(-1)?.seq;
      reader.cursor = events.length < page || last === undefined ? Math.max(newest, reader.cursor) : last;
      if (events.length === 0) continue;
      if (!this.#tell(reader, events.map(textOf).join(''))) await drained(reader.response, stalledMs);
    }
  }

  /** Tells a reader that events after its last one are not kept any more. */
  #miss(reader: Reader, from: number): void {
    this.#tell(reader, `id: ${from}\nevent: missed\ndata: {"after":"${reader.cursor}"}\n\n`);
    reader.cursor = from;
  }

  #isThere({ response }: Reader): boolean {
    return !this.#isStopped && !response.destroyed && !response.writableEnded;
  }

  /** @returns whether it may be given more at once */
  #tell(reader: Reader, text: string): boolean {
    reader.toldAt = performance.now();
    return reader.response.write(text);
  }
}

const textOf = ({ seq, name, body }: KeptEvent) => `id: ${seq}\nevent: ${name}\ndata: ${body}\n\n`;

/** Resolves when a response takes more, or is closed, which it is if it takes nothing for `ms`. */
function drained(response: Response, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => response.destroy(), ms);
    const done = () => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
    if (response.destroyed) done();
  });
}
