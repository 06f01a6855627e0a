import cron, { type ScheduledTask } from 'node-cron';
import type { Logger } from 'pino';
import type { SessionStore } from '../store/sessions.js';

const DAY_MS = 86_400_000;

/** Forgets sessions some time after their end, once a day. */
export class Retention {
  readonly #store: SessionStore;
  readonly #days: number;
  readonly #log: Logger;
  #task: ScheduledTask | undefined;

  constructor(store: SessionStore, days: number, log: Logger) {
    this.#store = store;
    this.#days = days;
    this.#log = log;
  }

  start(): void {
    this.#task = cron.schedule('17 3 * * *', () => this.#forget(), {
      noOverlap: true,
      suppressMissedWarning: true,
    });
  }

  stop(): void {
    void this.#task?.destroy();
  }

  async #forget(): Promise<void> {
    try {
      const count = await this.#store.forget(Date.now() - this.#days * DAY_MS);
      this.#log.info({ count }, 'ended sessions forgotten');
    } catch (error) {
      this.#log.error({ err: error }, 'ended sessions not forgotten');
    }
  }
}
