import { randomUUID } from 'node:crypto';
import { clock } from '../../lib/clock.js';
import { TokenBucket } from '../../lib/token-bucket.js';
import { lifecycle, type SessionEvent } from '../../model/index.js';
import type { Arrival, Attendance } from '../../participants/index.js';
import type { ViewerBatch } from '../../store/index.js';
import type { LiveSession } from '../live-session.js';

/**
 * Events about its users that a session may have. Beyond that they are told later, and of those who come and go
 * meanwhile nothing is told.
 */
const BUDGET = { perSecond: 2, burst: 2000 };

/** Minimum interval between two events that control has changed, ms. */
const CONTROL_INTERVAL_MS = 1000;

/** What the users of a session have done that is not written yet. */
export class SessionAttendance implements Attendance {
  readonly #live: LiveSession;
  readonly #changed: (attendance: SessionAttendance) => void;
  readonly #budget = new TokenBucket(BUDGET.perSecond, BUDGET.burst);
  /** By ID, in the order in which they happened. */
  readonly #pending = new Map<string, SessionEvent>();
  #writing: ReadonlySet<string> = new Set();
  #takenAt: number | null;
  /** Who has control now; null: no more than what was told. */
  #controllers: (() => readonly string[]) | null = null;
  #control: { id: string | null; told: string | null; at: number } = { id: null, told: null, at: -Infinity };

  /** `changed` is called when there is something to be written. */
  constructor(live: LiveSession, changed: (attendance: SessionAttendance) => void) {
    this.#live = live;
    this.#changed = changed;
    this.#takenAt = live.isResumed ? clock.now() : null;
  }

  joined(user: Arrival): void {
    this.#add(lifecycle.userJoined(this.#live.session, user, clock.now()));
  }

  left(userId: string): void {
    const join = lifecycle.idOf(this.#live.id, 'user_joined', userId);
    const isLate = !this.#budget.holds(performance.now(), this.#pending.size);
    if (isLate && !this.#writing.has(join) && this.#pending.delete(join)) return;
    this.#add(lifecycle.userLeft(this.#live.session, userId, clock.now()));
  }

  controlChanged(controllers: () => readonly string[]): void {
    this.#controllers = controllers;
    this.#changed(this);
  }

  /** Whether its session goes on, and something is to be written now or later. */
  get isWaiting(): boolean {
    const isNew = this.#pending.size > 0 || this.#takenAt !== null || this.#controllers !== null;
    return isNew && !this.#live.gone.aborted;
  }

  /** What is to be written now, at most `limit` events; null: nothing. `written` or `failed` must follow. */
  take(limit: number): ViewerBatch | null {
    const now = performance.now();
    this.#takeControl(now);
    const events: SessionEvent[] = [];
    for (const event of this.#pending.values()) {
      if (events.length >= limit || !this.#budget.holds(now, events.length + 1)) break;
      events.push(event);
    }
    if (events.length === 0 && this.#takenAt === null) return null;
    this.#writing = new Set(events.map(({ body }) => body.id));
    return { session: this.#live.session, takenAt: this.#takenAt, events };
  }

  written(): void {
    this.#takenAt = null;
    this.#budget.spend(performance.now(), this.#writing.size);
    for (const id of this.#writing) this.#pending.delete(id);
    if (this.#control.id !== null && this.#writing.has(this.#control.id)) this.#control.id = null;
    this.#writing = new Set();
  }

  failed(): void {
    this.#writing = new Set();
  }

  #add(event: SessionEvent): void {
    this.#pending.set(event.body.id, event);
    this.#changed(this);
  }

  #takeControl(now: number): void {
    if (this.#controllers === null || this.#control.id !== null || now - this.#control.at < CONTROL_INTERVAL_MS) return;
    const ids = this.#controllers();
    this.#controllers = null;
    const told = [...ids].sort().join();
    if (told === this.#control.told) return;
    const event = lifecycle.controlChanged(this.#live.session, ids, randomUUID(), clock.now());
    this.#control = { id: event.body.id, told, at: now };
    this.#pending.set(event.body.id, event);
  }
}
