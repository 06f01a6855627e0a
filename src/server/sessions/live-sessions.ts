import type { AgentState } from '../../protocol/generated/schemas.js';
import { clock } from '../lib/clock.js';
import type { Session } from '../model/index.js';

/** A session served by this replica, with state newer than its row. */
export interface LiveSession {
  session: Session;
  agent: AgentState['state'];
  /** Whether its agent has reported input to this process. */
  heard: boolean;
  /** Whether this process has counted its viewers. */
  counted: boolean;
  /** Whether it ran before this process served it. */
  readonly isResumed: boolean;
  /** Since when this process serves it, UTC milliseconds. */
  readonly servedSince: number;
  /** Aborts when the session has ended, or is no longer served here. */
  readonly gone: AbortSignal;
}

/** The sessions that this replica serves, from the start of their containers until they end. */
export class LiveSessions {
  readonly #live = new Map<string, LiveSession>();
  readonly #ends = new Map<string, AbortController>();

  add(session: Session): void {
    const end = new AbortController();
    this.#ends.set(session.id, end);
    this.#live.set(session.id, {
      session,
      agent: 'starting',
      heard: false,
      counted: false,
      isResumed: session.state.name === 'running',
      servedSince: clock.now(),
      gone: end.signal,
    });
  }

  get(sessionId: string): LiveSession | undefined {
    return this.#live.get(sessionId);
  }

  remove(sessionId: string): void {
    this.#live.delete(sessionId);
    this.#ends.get(sessionId)?.abort();
    this.#ends.delete(sessionId);
  }

  ids(): string[] {
    return [...this.#live.keys()];
  }
}
