import type { Session, TimeoutType } from './session.js';

/** A moment at which a session ends by itself, UTC milliseconds. */
export interface Deadline {
  type: TimeoutType;
  at: number;
}

type Clocks = Pick<Session, 'countedFrom' | 'inputAt' | 'offlineAt' | 'timeouts' | 'warned'>;

/** What is to be done with a session now. */
export type Verdict =
  | { action: 'wait'; until: number | null }
  /** `repeated`: the deadline of a warning moved, so that only viewers need to know. */
  | { action: 'warn'; deadline: Deadline; repeated: boolean }
  /** The deadline warned of has moved away. */
  | { action: 'unwarn' }
  | { action: 'end'; deadline: Deadline };

/** The first timeout to strike if nothing happens before; null: none. */
export function nextDeadline(clocks: Clocks): Deadline | null {
  const { timeouts } = clocks;
  const candidates: [TimeoutType, number | null, number | null][] = [
    ['absolute', clocks.countedFrom, timeouts.absolute],
    ['inactive', clocks.inputAt, timeouts.inactive],
    ['offline', clocks.offlineAt, timeouts.offline],
  ];
  return candidates.reduce<Deadline | null>((first, [type, from, ms]) => {
    if (from === null || ms === null || (first !== null && first.at <= from + ms)) return first;
    return { type, at: from + ms };
  }, null);
}

/** Judges a session at the time `now`, UTC milliseconds. A warning longer than its timeout is due at once. */
export function judge(clocks: Clocks, now: number): Verdict {
  const deadline = nextDeadline(clocks);
  if (deadline === null) return clocks.warned ? { action: 'unwarn' } : { action: 'wait', until: null };
  if (deadline.at <= now) return { action: 'end', deadline };
  const { warning } = clocks.timeouts;
  const warnAt = warning === null ? Infinity : deadline.at - warning;
  if (warnAt > now) {
    return clocks.warned ? { action: 'unwarn' } : { action: 'wait', until: Math.min(warnAt, deadline.at) };
  }
  const { warned } = clocks;
  if (warned?.type !== deadline.type) return { action: 'warn', deadline, repeated: false };
  if (warned.deadline !== deadline.at) return { action: 'warn', deadline, repeated: true };
  return { action: 'wait', until: deadline.at };
}

/** When a session must be judged again, UTC milliseconds; null: not before something happens. */
export function dueAt(clocks: Clocks, now: number): number | null {
  const verdict = judge(clocks, now);
  return verdict.action === 'wait' ? verdict.until : now;
}
