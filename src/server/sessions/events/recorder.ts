import type { Logger } from 'pino';
import type { Attendance } from '../../participants/index.js';
import type { EventStore, ViewerBatch } from '../../store/index.js';
import type { LiveSession } from '../live-session.js';
import { SessionAttendance } from './attendance.js';

/** How long events are gathered before they are written, ms. */
const GATHER_MS = 50;

/** When it is tried again to write what could not be written, or was not to be, ms. */
const RETRY_MS = 1000;

/** Events per transaction, which others that use the database wait for. */
const BATCH_MAX = 500;

/** Writes what the users of sessions do to the store, many at a time. */
export class EventRecorder {
  readonly #store: Pick<EventStore, 'record'>;
  readonly #log: Logger;
  readonly #waiting = new Set<SessionAttendance>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due, ms of performance.now(). */
  #dueAt = Infinity;
  #writing: Promise<boolean> | null = null;
  #isStopped = false;

  constructor(store: Pick<EventStore, 'record'>, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  /** What records the users of a session. */
  of(live: LiveSession): Attendance {
    const attendance = new SessionAttendance(live, changed => {
      this.#waiting.add(changed);
      this.#schedule(GATHER_MS);
    });
    // Those who were there when another process served it are not there any more.
    if (live.isResumed) this.#waiting.add(attendance);
    if (live.isResumed) this.#schedule(GATHER_MS);
    return attendance;
  }

  /** Writes what is to be written now; never rejects. */
  async flush(): Promise<void> {
    while (await this.#write());
  }

  /** Writes it a last time. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.flush();
  }

  #schedule(ms: number): void {
    const dueAt = performance.now() + ms;
    if (this.#isStopped || this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#dueAt = Infinity;
      void this.flush().then(() => this.#waiting.size > 0 && this.#schedule(RETRY_MS));
    }, ms);
  }

  /** @returns whether something was written */
  #write(): Promise<boolean> {
    this.#writing ??= this.#writeBatch().finally(() => (this.#writing = null));
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    const batches = new Map<SessionAttendance, ViewerBatch>();
    let room = BATCH_MAX;
    for (const attendance of [...this.#waiting]) {
      if (room <= 0) break;
      // Whoever has more than its share comes last the next time.
      this.#waiting.delete(attendance);
      if (!attendance.isWaiting) continue;
      const batch = attendance.take(room);
      if (attendance.isWaiting) this.#waiting.add(attendance);
      if (batch === null) continue;
      batches.set(attendance, batch);
      room -= batch.events.length;
    }
    if (batches.size === 0) return false;
    try {
      await this.#store.record([...batches.values()]);
    } catch (error) {
      for (const attendance of batches.keys()) attendance.failed();
      this.#log.error({ err: error }, 'events of users not written');
      return false;
    }
    for (const attendance of batches.keys()) {
      attendance.written();
      if (!attendance.isWaiting) this.#waiting.delete(attendance);
    }
    return true;
  }
}
