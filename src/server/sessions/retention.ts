import type { Logger } from 'pino';
import type { Audit } from '../audit/index.js';
import type { Profiles } from '../profiles/index.js';
import type { SessionStore, Store } from '../store/index.js';
import { clock } from '../lib/clock.js';
import { Daily } from '../lib/daily.js';

const DAY_MS = 86_400_000;

export interface RetentionOptions {
  store: SessionStore;
  idempotency: Store['idempotency'];
  profiles: Profiles;
  /** Days that sessions are kept after their end. */
  days: number;
  /** Days that profiles are kept after their last use. */
  profileDays: number;
  audit: Audit;
  log: Logger;
}

/**
 * Once a day, deletes sessions some time after their end, profiles some time after their last use, and idempotency keys
 * that are too old.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #daily = new Daily(3, 17, () => this.sweep());
  #isStopped = false;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  start(): void {
    this.#daily.start();
    // A service that runs only some hours a day must get to it too.
    void this.sweep();
  }

  stop(): void {
    this.#isStopped = true;
    this.#daily.stop();
  }

  /** Runs immediately; never rejects. */
  async sweep(): Promise<void> {
    const { store, idempotency, profiles, days, profileDays, audit } = this.#options;
    const deleted = (profile: string) =>
      audit.record({ event: 'profile.delete', result: 'ok', actor: { type: 'service' }, profile });
    await this.#forget('ended sessions', () => store.forget(clock.now() - days * DAY_MS));
    await this.#forget('idempotency keys', () => idempotency.forget(clock.now()));
    await this.#forget('profiles', () => profiles.expire(clock.now() - profileDays * DAY_MS, deleted));
  }

  async #forget(what: string, work: () => Promise<number>): Promise<void> {
    const { log } = this.#options;
    if (this.#isStopped) return;
    try {
      log.info({ count: await work() }, `${what} deleted`);
    } catch (error) {
      // The store was closed meanwhile; the next start tries again.
      if (this.#isStopped) return;
      log.error({ err: error }, `${what} not deleted`);
    }
  }
}
