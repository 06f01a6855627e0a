import type { Logger } from 'pino';
import type { SessionStore } from '../../store/index.js';
import type { LiveSessions } from '../live-sessions.js';

/** Maximum error of the known time if service, container and engine crash at once, ms. */
const INTERVAL_MS = 5000;

export interface LastSeenOptions {
  store: Pick<SessionStore, 'saveSeen'>;
  liveSessions: LiveSessions;
  log: Logger;
}

/**
 * Records when the agents of this replica's sessions were last heard from, for sessions that end while the service is
 * down.
 */
export class LastSeen {
  readonly #options: LastSeenOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LastSeenOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#save(), INTERVAL_MS);
  }

  /** Records it a last time; call it while links are still open. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#save();
  }

  async #save(): Promise<void> {
    const { store, liveSessions, log } = this.#options;
    const seen = liveSessions.all().flatMap(({ id, heardAt }) => (heardAt === null ? [] : [[id, heardAt] as const]));
    try {
      await store.saveSeen(seen);
    } catch (error) {
      log.error({ err: error }, 'last-seen times not written');
    }
  }
}
