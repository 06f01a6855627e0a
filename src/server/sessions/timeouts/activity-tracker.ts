import type { Logger } from 'pino';
import type { Activity, TimeoutChange } from '../../../protocol/generated/schemas.js';
import type { Hub } from '../../participants/index.js';
import type { SessionStore } from '../../store/index.js';
import type { LiveSessions } from '../live-sessions.js';
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
  readonly #store: SessionStore;
  readonly #log: Logger;
  readonly #savings = new Map<string, Saving>();
  /** Writes in progress. */
  readonly #writes = new Set<Promise<void>>();
  #isStopped = false;

  constructor(hub: Pick<Hub, 'touch'>, liveSessions: LiveSessions, store: SessionStore, log: Logger) {
    this.#hub = hub;
    this.#liveSessions = liveSessions;
    this.#store = store;
    this.#log = log;
  }

  /** Records input reported by an agent; written with a delay. */
  activity(sessionId: string, activity: Activity): void {
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return;
    const before = live.session;
    live.heard = true;
    const now = clock.now();
    live.session = followed(withActivity(before, activity, now), now);
    if (live.session.inputAt !== before.inputAt) this.#schedule(sessionId);
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
    this.#schedule(sessionId);
  }

  /** Changes a running session's timeouts. @returns the session; null if it is not served here */
  async changeTimeouts(sessionId: string, change: TimeoutChange): Promise<Session | null> {
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return null;
    const { timeouts, countedFrom } = live.session;
    const now = clock.now();
    const changed = (live.session = followed(withTimeouts(live.session, change, now), now));
    try {
      await this.#store.saveTimeouts(changed, now);
    } catch (error) {
      live.session = { ...live.session, timeouts, countedFrom };
      throw error;
    }
    return changed;
  }

  /** Writes a session's activity now. */
  save(sessionId: string): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    const write = this.#write(sessionId).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
    return write;
  }

  async #write(sessionId: string): Promise<void> {
    this.#cancel(sessionId);
    const live = this.#liveSessions.get(sessionId);
    if (live === undefined) return;
    const now = clock.now();
    this.#savings.set(sessionId, { state: 'saved', at: now });
    try {
      await this.#store.saveClocks(live.session, now);
    } catch (error) {
      this.#log.error({ err: error, session: sessionId }, 'session activity not written');
      if (this.#liveSessions.get(sessionId) !== undefined) this.#schedule(sessionId);
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

  #schedule(sessionId: string): void {
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
