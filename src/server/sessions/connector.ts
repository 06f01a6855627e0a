import type { AgentAddress } from '../agent-link/index.js';
import type { Attendance, RoomOptions } from '../participants/index.js';
import { Connection, type ConnectionHandlers } from './connection.js';
import type { LiveSession } from './live-session.js';
import type { LiveSessions } from './live-sessions.js';
import type { SessionStore } from '../store/index.js';

export interface ConnectorOptions extends RoomOptions {
  store: Pick<SessionStore, 'saveDefaults'>;
  liveSessions: LiveSessions;
  /** What records the users of a session. */
  attendance(live: LiveSession): Attendance;
  /** What is done with the reports of a session. */
  handlers(live: LiveSession): ConnectionHandlers;
}

/** Connects sessions to their agents. */
export class Connector {
  readonly #options: ConnectorOptions;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /**
   * Opens the link to a session's agent, retrying while its container starts. Resolves when the agent has accepted the
   * launch; from then on the link reconnects until the session ends. Rejects when `signal` aborts, or with an
   * AgentRefusal; nothing is left open then.
   */
  async connect(live: LiveSession, address: AgentAddress, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { store, liveSessions, attendance, handlers } = this.#options;
    const session = {
      get session() {
        return live.session;
      },
      attendance: attendance(live),
      changeDefaults: async (defaults: LiveSession['session']['defaults']) => {
        await store.saveDefaults(live.id, defaults);
        live.update({ defaults });
      },
    };
    const connection = new Connection(session, address, this.#options, handlers(live));
    liveSessions.connect(live, connection);
    const abort = () => void connection.restart();
    signal.addEventListener('abort', abort, { once: true });
    try {
      await connection.open();
    } catch (error) {
      void connection.restart();
      if (live.connection === connection) live.connection = null;
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
