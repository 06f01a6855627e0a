import type { Session } from '../model/index.js';
import { LiveSession } from './live-session.js';

/** The sessions that this process serves, from the start of their containers until they end. */
export class LiveSessions {
  readonly #live = new Map<string, LiveSession>();

  add(session: Session): LiveSession {
    const live = new LiveSession(session);
    this.#live.set(session.id, live);
    return live;
  }

  get(sessionId: string): LiveSession | undefined {
    return this.#live.get(sessionId);
  }

  /** Closes a session, if it is served here. */
  remove(sessionId: string): void {
    this.#live.get(sessionId)?.close();
    this.#live.delete(sessionId);
  }

  /** All of them, as they are now. */
  all(): LiveSession[] {
    return [...this.#live.values()];
  }
}
