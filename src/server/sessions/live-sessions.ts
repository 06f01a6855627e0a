import { EventEmitter, once } from 'node:events';
import type { Ending, Session } from '../model/index.js';
import type { Connection } from './connection.js';
import { LiveSession } from './live-session.js';

/**
 * The sessions that this process serves. One that it starts is among them before its row is written, and until its start
 * is over, so that nobody takes it, or its container, for left over.
 */
export class LiveSessions {
  readonly #live = new Map<string, LiveSession>();
  /** Events are IDs of sessions that were connected. */
  readonly #connected = new EventEmitter().setMaxListeners(0);
  readonly #stopped = new AbortController();

  add(session: Session): LiveSession {
    const live = new LiveSession(session);
    this.#live.set(session.id, live);
    return live;
  }

  get(sessionId: string): LiveSession | undefined {
    return this.#live.get(sessionId);
  }

  /** All of them, as they are now. */
  all(): LiveSession[] {
    return [...this.#live.values()];
  }

  /** A session gets its connection, for which viewers may wait. */
  connect(live: LiveSession, connection: Connection): void {
    if (this.#stopped.signal.aborted) throw new Error('The service has stopped.');
    live.connection = connection;
    this.#connected.emit(live.id);
  }

  /** The connection of a session; waits for that of one that is about to be served, ms. undefined: there is none. */
  async connection(sessionId: string, timeoutMs: number): Promise<Connection | undefined> {
    const connection = () => this.get(sessionId)?.connection ?? undefined;
    if (connection() !== undefined) return connection();
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMs)]);
    await once(this.#connected, sessionId, { signal }).catch(() => undefined);
    return connection();
  }

  /** Closes a session that has ended; resolves when its viewers are gone. */
  close(live: LiveSession, ending: Ending): Promise<void> {
    if (!live.isStarting) this.#live.delete(live.id);
    return live.close(ending);
  }

  /** The start of a session is over; one that was aborted, or not needed, is not served any longer. */
  settleStart(live: LiveSession, isServed: boolean): void {
    if (!isServed || live.gone.aborted) this.#live.delete(live.id);
    live.settleStart();
  }

  /** Closes links and viewers (1012: they reconnect), within about a second. Containers keep running. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.all().map(async ({ connection }) => connection?.restart()));
  }
}
