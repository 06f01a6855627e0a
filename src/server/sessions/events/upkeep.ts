import type { Logger } from 'pino';
import { clock } from '../../lib/clock.js';
import type { EventStore } from '../../store/index.js';

/** How long events are kept, ms, and how many at most. */
const KEEP_MS = 24 * 60 * 60_000;
const KEEP_MAX = 250_000;

const INTERVAL_MS = 60_000;

/** Deletes old events, and goes on with those that a replica of an older release has left waiting. */
export class EventUpkeep {
  readonly #store: Pick<EventStore, 'prune' | 'resumeStalled'>;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(store: Pick<EventStore, 'prune' | 'resumeStalled'>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  start(): void {
    const work = () => void (this.#working = this.#working.then(() => this.#work()));
    this.#timer = setInterval(work, INTERVAL_MS);
    work();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }

  async #work(): Promise<void> {
    try {
      await this.#store.resumeStalled();
      await this.#store.prune(clock.now() - KEEP_MS, KEEP_MAX);
    } catch (error) {
      this.#log.error({ err: error }, 'old events not deleted, or waiting ones not resumed');
    }
  }
}
