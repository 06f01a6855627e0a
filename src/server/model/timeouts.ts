import type { TimeoutChange, TimeoutsInForce } from '../../protocol/generated/schemas.js';
import type { Announced, Session, Timeouts, TimeoutType } from './session.js';

/** When a session ends by itself, UTC milliseconds. */
export interface Deadline {
  type: TimeoutType;
  at: number;
}

/** What timeouts count from, and how long. */
type Counters = Pick<Session, 'countedFrom' | 'inputAt' | 'offlineAt' | 'timeouts'>;

type TimeoutState = Pick<
  Session,
  'countedFrom' | 'inputAt' | 'offlineAt' | 'timeouts' | 'warned' | 'announced' | 'claimBy'
>;

/** The next step for a session, by its timeouts. */
export type TimeoutStep =
  | { type: 'wait'; until: number | null }
  /** `announced`: the webhook knows that this end approaches; only viewers need to know that its deadline moved. */
  | { type: 'warn'; deadline: Deadline; announced: boolean }
  /** The deadline warned of has moved away. */
  | { type: 'withdraw-warning' }
  | { type: 'end'; deadline: Deadline }
  /** Nobody has claimed it in time. */
  | { type: 'abandon' };

/** The first timeout to expire if nothing happens before; null: none. */
export function nextDeadline(state: Counters): Deadline | null {
  return TYPES.reduce<Deadline | null>((first, type) => {
    const deadline = deadlineOf(state, type);
    return deadline === null || (first !== null && first.at <= deadline.at) ? first : deadline;
  }, null);
}

/** The announced ends that still approach at `now`, that is, whose warning was not cancelled since. */
export function stillAnnounced(state: TimeoutState, now: number): Announced {
  const told = TYPES.filter(type => {
    const deadline = state.announced[type] === undefined ? null : deadlineOf(state, type);
    return deadline !== null && warnAt(state, deadline) <= now;
  });
  return Object.fromEntries(told.map(type => [type, state.announced[type]]));
}

/** The session after viewers and webhook were warned of a deadline at `now`. */
export function withWarning(session: Session, { type, at }: Deadline, now: number): Session {
  const announced = { ...stillAnnounced(session, now), [type]: at };
  return { ...session, warned: { type, deadline: at }, announced };
}

/**
 * The next step for a session at `now`, UTC milliseconds. A warning longer than its timeout is due immediately.
 */
export function nextStep(state: TimeoutState, now: number): TimeoutStep {
  const step = stepOfTimeouts(state, now);
  const { claimBy } = state;
  if (claimBy === null || step.type === 'end') return step;
  if (claimBy <= now) return { type: 'abandon' };
  return step.type === 'wait' ? { ...step, until: Math.min(step.until ?? claimBy, claimBy) } : step;
}

function stepOfTimeouts(state: TimeoutState, now: number): TimeoutStep {
  const deadline = nextDeadline(state);
  if (deadline === null) return state.warned ? { type: 'withdraw-warning' } : { type: 'wait', until: null };
  if (deadline.at <= now) return { type: 'end', deadline };
  const due = warnAt(state, deadline);
  if (due > now) {
    return state.warned ? { type: 'withdraw-warning' } : { type: 'wait', until: Math.min(due, deadline.at) };
  }
  const { warned } = state;
  if (warned?.type === deadline.type && warned.deadline === deadline.at) return { type: 'wait', until: deadline.at };
  return { type: 'warn', deadline, announced: isAnnounced(state, deadline) };
}

const TYPES = ['absolute', 'inactive', 'offline'] as const;

/** The start of a timeout's count; null: it is not counting. */
function startOf(state: Counters, type: TimeoutType): number | null {
  return { absolute: state.countedFrom, inactive: state.inputAt, offline: state.offlineAt }[type];
}

function deadlineOf(state: Counters, type: TimeoutType): Deadline | null {
  const [from, ms] = [startOf(state, type), state.timeouts[type]];
  return from === null || ms === null ? null : { type, at: from + ms };
}

function warnAt({ timeouts: { warning } }: TimeoutState, deadline: Deadline): number {
  return warning === null ? Infinity : deadline.at - warning;
}

/**
 * Whether the webhook was already warned of this approaching end. A new approach begins if the counter restarted after
 * the warning and was outside the warning period for a while, even if nobody checked then. A warning as long as its
 * timeout never leaves that period, and is sent once.
 */
function isAnnounced(state: TimeoutState, deadline: Deadline): boolean {
  const told = state.announced[deadline.type];
  const from = startOf(state, deadline.type);
  if (told === undefined || from === null) return false;
  const isNew = from > warnAt(state, { ...deadline, at: told }) && from < warnAt(state, deadline);
  return !isNew;
}

/** When to check a session again, UTC milliseconds; null: not before something happens. */
export function dueAt(state: TimeoutState, now: number): number | null {
  const step = nextStep(state, now);
  return step.type === 'wait' ? step.until : now;
}

/**
 * The session with changed timeouts at `now`, UTC milliseconds. Unless `reset` is false, all its counters restart. If it
 * is, a changed timeout that would have expired already does so now, not in the past: counting from somewhat later is
 * part of the session, so a service that is killed before the end knows it afterwards.
 */
export function withTimeouts(session: Session, change: TimeoutChange, now: number): Session {
  const { absolute, inactive, offline, warning } = session.timeouts;
  const timeouts: Timeouts = {
    absolute: milliseconds(change.absolute, absolute),
    inactive: milliseconds(change.inactive, inactive),
    offline: milliseconds(change.offline, offline),
    warning: milliseconds(change.warning, warning),
  };
  const restarted = change.reset !== false;
  /** The time that a timeout counts from, never before `from`. */
  const since = (type: TimeoutType, from: number) => {
    const ms = timeouts[type];
    if (restarted) return Math.max(from, now);
    return ms === null || ms === session.timeouts[type] ? from : Math.max(from, now - ms);
  };
  return {
    ...session,
    timeouts,
    countedFrom: since('absolute', session.countedFrom),
    inputAt: since('inactive', session.inputAt),
    offlineAt: session.offlineAt === null ? null : since('offline', session.offlineAt),
  };
}

/** A session's timeouts as integrators see them. */
export function timeoutsInForce({ absolute, inactive, offline, warning }: Timeouts): TimeoutsInForce {
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  return {
    absolute: seconds(absolute),
    inactive: seconds(inactive),
    offline: seconds(offline),
    warning: seconds(warning),
  };
}

/**
 * Converts a requested timeout from seconds to milliseconds, at least one, since 0 means none. `fallback`, in
 * milliseconds, applies if it is left out.
 */
export function milliseconds(seconds: number | null | undefined, fallback: number | null): number | null {
  if (seconds === undefined) return fallback;
  return seconds === null ? null : Math.max(1, Math.round(seconds * 1000));
}
