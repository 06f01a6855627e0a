import type { Logger } from 'pino';
import type { Activity, TimeoutChange } from '../../../protocol/generated/schemas.js';
import type { Hub } from '../../participants/index.js';
import type { SessionStore } from '../../store/index.js';
import type { LiveSession, LiveSessions } from '../live-sessions.js';
import { type Session, stillAnnounced, withTimeouts } from '../../model/index.js';
import { clock } from '../../lib/clock.js';

/** Minimum interval between writes of one session's activity. */
const SAVE_INTERVAL_MS = 2000;

type Saving = { state: 'saved'; at: number } | { state: 'scheduled'; timer: NodeJS.Timeout };

/** The session after its agent reported the last input at `now`, UTC milliseconds. */
export function withActivity(session: Session, activity: Activity, now: number): Session {
  return { ...session, inputAt: Math.round(Math.max(session.inputAt, now - activity.idle_ms)) };
}

/**
 * The session after this service counted its viewers at `now`, UTC milliseconds. Nobody counts as absent before the
 * session's agent answered; for a session resumed with viewers, absence counts from when it was last seen.
 */
export function withViewers(session: Session, viewers: number, now: number, taken: boolean): Session {
  if (viewers > 0) return { ...session, offlineAt: null };
  if (session.state.name === 'starting') return { ...session, offlineAt: now };
  return { ...session, offlineAt: session.offlineAt ?? (taken ? Math.min(now, session.seenAt ?? now) : now) };
}

/**
 * The session after its activity changed at `now`: deadlines that moved out of the warning period will be announced
 * again.
 */
function followed(session: Session, now: number): Session {
  return { ...session, announced: stillAnnounced(session, now) };
}

/**
 * Keeps what timeouts count from: input reported by agents and viewers counted by the hub, which are written to the
 * store periodically, and changes of the timeouts themselves.
 */
export class ActivityTracker {
  readonly #hub: Pick<Hub, 'touch'>;
  readonly #liveSessions: LiveSessions;
  readonly #store: Pick<SessionStore, 'saveActivity'>;
  readonly #log: Logger;
  readonly #savings = new Map<string, Saving>();
  /** Writes in progress. */
  readonly #writes = new Set<Promise<void>>();
  /** The latest write of each session that is being written. */
  readonly #turns = new Map<string, Promise<void>>();
  /** Sessions of which a change of their timeouts is being written. */
  readonly #changing = new Set<string>();
  #isStopped = false;

  constructor(
    hub: Pick<Hub, 'touch'>,
    liveSessions: LiveSessions,
    store: Pick<SessionStore, 'saveActivity'>,
    log: Logger,
  ) {
    this.#hub = hub;
    this.#liveSessions = liveSessions;
    this.#store = store;
    this.#log = log;
  }

  /** Records input reported by an agent; written with a delay. */
  reported(sessionId: string, activity: Activity): void {
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return;
    const before = live.session;
    live.heard = true;
    const now = clock.now();
    live.session = followed(withActivity(before, activity, now), now);
    if (live.session.inputAt !== before.inputAt) this.saveSoon(sessionId);
  }

  /** Records this service's viewer count. The first arrival and the last departure are written immediately. */
  presence(sessionId: string, viewers: number): void {
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return;
    const before = live.session;
    const now = clock.now();
    live.session = followed(withViewers(before, viewers, now, !live.counted), now);
    live.counted = true;
    if (live.session.offlineAt !== before.offlineAt) void this.save(sessionId);
  }

  /** Counts as input: here as well as at the agent, which may be unreachable for a moment. */
  touch(sessionId: string): void {
    this.#hub.touch(sessionId);
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return;
    const now = clock.now();
    live.session = followed({ ...live.session, inputAt: now }, now);
    this.saveSoon(sessionId);
  }

  /**
   * Changes a running session's timeouts: first in the store, so that a failed write changes nothing.
   * @returns the session; null if it is not served here
   */
  changeTimeouts(sessionId: string, change: TimeoutChange): Promise<Session | null> {
    return this.#inTurn(sessionId, async () => {
      const live = this.#liveSessions.get(sessionId);
      if (live === undefined) return null;
      this.#changing.add(sessionId);
      return this.#change(live, change).finally(() => this.#changing.delete(sessionId));
    });
  }

  /** Whether a change of its timeouts is being written: until then it is not known which are in force. */
  isChanging(sessionId: string): boolean {
    return this.#changing.has(sessionId);
  }

  async #change(live: LiveSession, change: TimeoutChange): Promise<Session> {
    const now = clock.now();
    const changed = (session: Session) => followed(withTimeouts(session, change, now), now);
    try {
      await this.#store.saveActivity(changed(live.session), now);
    } catch (error) {
      // It may have been written all the same.
      this.saveSoon(live.session.id);
      throw error;
    }
    // With what happened meanwhile.
    return (live.session = changed(live.session));
  }

  /** Writes a session's activity now. */
  save(sessionId: string): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#cancel(sessionId);
    const write = this.#inTurn(sessionId, () => this.#write(sessionId)).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
    return write;
  }

  /** Writes of one session follow each other: at once, they could be stored in any order. */
  #inTurn<T>(sessionId: string, write: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(sessionId) ?? Promise.resolve()).then(write);
    const over: Promise<void> = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (this.#turns.get(sessionId) === over) this.#turns.delete(sessionId);
      });
    this.#turns.set(sessionId, over);
    return turn;
  }

  async #write(sessionId: string): Promise<void> {
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return void this.#savings.delete(sessionId);
    const now = clock.now();
    this.#savings.set(sessionId, { state: 'saved', at: now });
    try {
      await this.#store.saveActivity(live.session, now);
    } catch (error) {
      this.#log.error({ err: error, session: sessionId }, 'session activity not written');
      if (this.#liveSessions.get(sessionId) !== undefined) this.saveSoon(sessionId);
    }
  }

  /** Drops a session that has ended. */
  forget(sessionId: string): void {
    this.#cancel(sessionId);
    this.#savings.delete(sessionId);
  }

  /** Writes pending state, and nothing after that: viewers may still be leaving when the store closes. */
  async stop(): Promise<void> {
    const pending = [...this.#savings].filter(([, saving]) => saving.state === 'scheduled').map(([id]) => id);
    for (const id of pending) void this.save(id);
    this.#isStopped = true;
    await Promise.all(this.#writes);
    for (const id of [...this.#savings.keys()]) this.forget(id);
  }

  /** Writes a session's activity soon, and again until that succeeds. */
  saveSoon(sessionId: string): void {
    if (this.#isStopped) return;
    const saving = this.#savings.get(sessionId);
    if (saving?.state === 'scheduled') return;
    const wait = saving === undefined ? 0 : Math.max(0, saving.at + SAVE_INTERVAL_MS - clock.now());
    const timer = setTimeout(() => void this.save(sessionId), wait);
    this.#savings.set(sessionId, { state: 'scheduled', timer });
  }

  #cancel(sessionId: string): void {
    const saving = this.#savings.get(sessionId);
    if (saving?.state === 'scheduled') clearTimeout(saving.timer);
  }
}
