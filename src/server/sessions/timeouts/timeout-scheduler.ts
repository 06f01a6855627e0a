import type { Logger } from 'pino';
import type { Store } from '../../store/index.js';
import type { Outbox } from '../../webhooks/index.js';
import type { ActivityTracker } from './activity-tracker.js';
import { closeWarning, warningEvent } from './events.js';
import type { Terminator } from '../terminator.js';
import type { LiveSession } from '../live-session.js';
import type { LiveSessions } from '../live-sessions.js';
import { type Deadline, dueAt, nextStep, type Session, withWarning } from '../../model/index.js';
import { clock } from '../../lib/clock.js';

export interface TimeoutSchedulerOptions {
  store: Store;
  outbox: Outbox;
  terminator: Terminator;
  activity: ActivityTracker;
  liveSessions: LiveSessions;
  replica: string;
  log: Logger;
}

const TICK_MS = 1000;

/** How long this process waits after its start for engines and agents to report earlier events, ms. */
const GRACE_MS = 5000;

const UNKNOWN = 'Nobody received the answer to the start, and nobody asked for the session within a minute.';

/** How late a session may end so that it still counts as ended at its deadline, ms. */
const PUNCTUAL_MS = 250;

/** Whether this deadline is final: no event can still arrive that moves it. */
function isKnown({ type }: Deadline, live: LiveSession | undefined): boolean {
  if (live === undefined) return false;
  // Viewers of resumed sessions reconnect within a moment.
  if (type === 'offline') return live.counted && !live.isResumed;
  return type === 'absolute' || live.heard;
}

/**
 * When a session ends whose deadline has passed: at that, unless it was served for longer, for instance since the store
 * failed. Who used it meanwhile has used it.
 */
function endAt({ at }: Deadline, live: LiveSession | undefined, now: number): number {
  const wasServed = live !== undefined && live.servedSince <= at;
  return wasServed && now - at > PUNCTUAL_MS ? now : at;
}

/** Enforces timeouts: queries the store each second for what is due in the next one, and acts on time. */
export class TimeoutScheduler {
  readonly #options: TimeoutSchedulerOptions;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Ms of performance.now(). */
  #graceUntil = 0;

  constructor(options: TimeoutSchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#graceUntil = performance.now() + GRACE_MS;
    this.#timer = setInterval(() => void this.#tick(), TICK_MS);
    void this.#tick();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const { deadlineTimer } of this.#options.liveSessions.all()) clearTimeout(deadlineTimer);
  }

  /** Looks at a session that is served here now, instead of with the next tick: its deadlines have changed. */
  check(sessionId: string): void {
    const live = this.#options.liveSessions.get(sessionId);
    if (live === undefined || this.#timer === undefined || live.isJudging) return;
    const now = clock.now();
    const at = dueAt(live.session, now);
    if (at === null || at > now + TICK_MS) return;
    clearTimeout(live.deadlineTimer);
    live.deadlineTimer = undefined;
    this.#schedule(live, at);
  }

  async #tick(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const now = clock.now();
    try {
      const due = await this.#options.store.sessions.due(this.#options.replica, now + TICK_MS);
      // Stopped meanwhile.
      if (this.#timer === undefined) return;
      for (const { session, at } of due) {
        const live = this.#options.liveSessions.get(session.id);
        if (live !== undefined) this.#schedule(live, at);
        else if (at <= now) void this.#enforce(session, undefined);
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'timeouts not queried');
    } finally {
      this.#isLooking = false;
    }
  }

  #schedule(live: LiveSession, at: number): void {
    if (live.deadlineTimer !== undefined || live.isJudging || live.gone.aborted) return;
    const act = () => {
      live.deadlineTimer = undefined;
      // Timers may fire slightly early by this clock. Checked then, nothing would be due before the next tick.
      if (clock.now() < at) return this.#schedule(live, at);
      live.isJudging = true;
      void this.#enforce(live.session, live).finally(() => (live.isJudging = false));
    };
    live.deadlineTimer = setTimeout(act, Math.max(0, at - clock.now()));
  }

  /** Acts on what is due of a session; `live`: as it is served here. */
  async #enforce(row: Session, live: LiveSession | undefined): Promise<void> {
    try {
      await this.#judge(row, live);
    } catch (error) {
      this.#options.log.error({ err: error, session: row.id }, 'timeout not enforced');
    }
  }

  async #judge(row: Session, live: LiveSession | undefined): Promise<void> {
    const { activity, terminator } = this.#options;
    if (live?.isChanging === true) return;
    const session = live?.session ?? row;
    const now = clock.now();
    const step = nextStep(session, now);
    switch (step.type) {
      case 'end':
        // The row may be a few seconds old if the previous process was killed.
        if (!isKnown(step.deadline, live) && performance.now() < this.#graceUntil) return;
        await terminator.end(session.id, { reason: step.deadline.type, at: endAt(step.deadline, live, now) });
        return;
      case 'abandon':
        // Not resumed yet: once resumed, it waits again.
        if (live === undefined) return;
        if (await this.#isUnknown(live))
          return void (await terminator.end(session.id, { reason: 'failed', message: UNKNOWN }));
        break;
      case 'warn':
        // Not resumed yet: an action now could not be stored, and would be repeated.
        if (live === undefined) return;
        if (!step.announced) await this.#announce(session, step.deadline, now);
        live.connection?.room.warn(closeWarning(step.deadline, now));
        live.update(withWarning(live.session, step.deadline, now));
        break;
      case 'withdraw-warning':
        live?.connection?.room.warn({ type: 'warning' });
        live?.update({ warned: null, announced: {} });
        break;
      case 'wait':
        break;
    }
    if (live !== undefined) await activity.save(live);
  }

  /** Whether the session is still unclaimed. It may have been claimed at another replica. */
  async #isUnknown(live: LiveSession): Promise<boolean> {
    const row = await this.#options.store.sessions.find(live.session.id);
    if (live.session.claimBy === null || row === null) return false;
    if (row.claimBy === null) live.update({ claimBy: null });
    return row.claimBy !== null;
  }

  async #announce(session: Session, deadline: Deadline, now: number): Promise<void> {
    const event = warningEvent(session, deadline, now);
    if (event === null) return;
    await this.#options.store.outbox.add(event);
    this.#options.outbox.wake();
  }
}
