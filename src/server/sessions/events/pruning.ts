import type { Logger } from 'pino';
import { clock } from '../../lib/clock.js';
import type { EventStore } from '../../store/index.js';

/** How long events are kept, ms, and how many at most. */
const KEEP_MS = 24 * 60 * 60_000;
const KEEP_MAX = 250_000;

const INTERVAL_MS = 60_000;

/** Deletes old events. */
export class EventPruning {
  readonly #store: Pick<EventStore, 'prune'>;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;
  #pruning: Promise<void> = Promise.resolve();

  constructor(store: Pick<EventStore, 'prune'>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  start(): void {
    const prune = () => void (this.#pruning = this.#pruning.then(() => this.#prune()));
    this.#timer = setInterval(prune, INTERVAL_MS);
    prune();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#pruning;
  }

  async #prune(): Promise<void> {
    try {
      await this.#store.prune(clock.now() - KEEP_MS, KEEP_MAX);
    } catch (error) {
      this.#log.error({ err: error }, 'old events not deleted');
    }
  }
}
