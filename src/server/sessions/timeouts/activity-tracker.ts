import type { Logger } from 'pino';
import type { Activity, TimeoutChange } from '../../../protocol/generated/schemas.js';
import type { SessionStore } from '../../store/index.js';
import type { LiveSession } from '../live-session.js';
import { type Session, type Size, stillAnnounced, withTimeouts } from '../../model/index.js';
import { clock } from '../../lib/clock.js';

/** Minimum interval between writes of one session's activity. */
const SAVE_INTERVAL_MS = 2000;

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
  if (session.state.type === 'starting') return { ...session, offlineAt: now };
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
 * Keeps what timeouts count from: input reported by agents and viewers that were counted, which are written to the
 * store periodically, and changes of the timeouts themselves.
 */
export class ActivityTracker {
  readonly #store: Pick<SessionStore, 'saveActivity'>;
  readonly #log: Logger;
  /** Writes in progress. */
  readonly #writes = new Set<Promise<void>>();
  #isStopped = false;

  constructor(store: Pick<SessionStore, 'saveActivity'>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** Records input reported by an agent; written with a delay. */
  reported(live: LiveSession, activity: Activity): void {
    const { inputAt } = live.session;
    live.heard = true;
    const now = clock.now();
    live.update(followed(withActivity(live.session, activity, now), now));
    if (live.session.inputAt !== inputAt) this.saveSoon(live);
  }

  /**
   * Records this service's viewer count. The first arrival and the last departure are written immediately, other changes
   * with a delay.
   */
  presence(live: LiveSession, viewers: number): void {
    const { offlineAt, viewers: before } = live.session;
    const now = clock.now();
    live.update(followed(withViewers(live.session, viewers, now, !live.counted), now));
    live.counted = true;
    live.update({ viewers });
    if (live.session.offlineAt !== offlineAt) void this.save(live);
    else if (viewers !== before) this.saveSoon(live);
  }

  /** Records the size of the display; written with a delay. */
  resized(live: LiveSession, { width, height }: Size): void {
    const { size } = live.session;
    if (size.width === width && size.height === height) return;
    live.update({ size: { width, height } });
    this.saveSoon(live);
  }

  /** Counts as input: here as well as at the agent, which may be unreachable for a moment. */
  keepAlive(live: LiveSession): void {
    live.connection?.keepAlive();
    const now = clock.now();
    live.update(followed({ ...live.session, inputAt: now }, now));
    this.saveSoon(live);
  }

  /**
   * Changes a running session's timeouts: first in the store, so that a failed write changes nothing.
   * @returns the session; null if it is no longer served here
   */
  changeTimeouts(live: LiveSession, change: TimeoutChange): Promise<Session | null> {
    return live.writes.run(async () => {
      if (live.gone.aborted) return null;
      live.isChanging = true;
      return this.#change(live, change).finally(() => (live.isChanging = false));
    });
  }

  async #change(live: LiveSession, change: TimeoutChange): Promise<Session> {
    const now = clock.now();
    const changed = () => followed(withTimeouts(live.session, change, now), now);
    try {
      await this.#store.saveActivity(changed(), now);
    } catch (error) {
      // It may have been written all the same.
      this.saveSoon(live);
      throw error;
    }
    // With what happened meanwhile.
    return live.update(changed());
  }

  /** Writes a session's activity now. */
  save(live: LiveSession): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    clearTimeout(live.writeTimer);
    live.writeTimer = undefined;
    live.writtenAt = clock.now();
    const write = live.writes.run(() => this.#write(live)).finally(() => this.#writes.delete(write));
    this.#writes.add(write);
    return write;
  }

  async #write(live: LiveSession): Promise<void> {
    if (live.gone.aborted) return;
    try {
      await this.#store.saveActivity(live.session, clock.now());
    } catch (error) {
      this.#log.error({ err: error, session: live.id }, 'session activity not written');
      this.saveSoon(live);
    }
  }

  /** Writes what is pending of these sessions, and nothing after that: viewers may still be leaving when the store closes. */
  async stop(sessions: readonly LiveSession[]): Promise<void> {
    for (const live of sessions) if (live.writeTimer !== undefined) void this.save(live);
    this.#isStopped = true;
    await Promise.all(this.#writes);
  }

  /** Writes a session's activity soon, and again until that succeeds. */
  saveSoon(live: LiveSession): void {
    if (this.#isStopped || live.gone.aborted || live.writeTimer !== undefined) return;
    const wait = live.writtenAt === null ? 0 : Math.max(0, live.writtenAt + SAVE_INTERVAL_MS - clock.now());
    live.writeTimer = setTimeout(() => void this.save(live), wait);
  }
}
