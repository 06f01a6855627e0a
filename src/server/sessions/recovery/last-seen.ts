import type { Logger } from 'pino';
import type { Hub } from '../../participants/index.js';
import type { SessionStore } from '../../store/index.js';
import type { LiveSessions } from '../live-sessions.js';

/** What a crash of service, container and engine all at once can add to the time that is known, ms. */
const INTERVAL_MS = 5000;

export interface LastSeenParts {
  store: Pick<SessionStore, 'saveSeen'>;
  hub: Pick<Hub, 'heardAt'>;
  liveSessions: LiveSessions;
  log: Logger;
}

/** Writes when the agents of this replica's sessions were last heard of, for sessions that end while nobody watches. */
export class LastSeen {
  readonly #parts: LastSeenParts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LastSeenParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#save(), INTERVAL_MS);
  }

  /** Writes it once more; call it while links are still open. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#save();
  }

  async #save(): Promise<void> {
    const { store, hub, liveSessions, log } = this.#parts;
    const seen = liveSessions.ids().flatMap(id => {
      const at = hub.heardAt(id);
      return at === null ? [] : [[id, at] as const];
    });
    try {
      await store.saveSeen(seen);
    } catch (error) {
      log.error({ err: error }, 'last signs of life not written');
    }
  }
}
