import type { TimeoutChange, TimeoutsInForce } from '../../protocol/generated/schemas.js';
import { milliseconds } from './milliseconds.js';
import type { Session, Timeouts } from './session.js';

/** The session with other timeouts at `now`, UTC milliseconds. Unless `reset` is false, all its counters begin anew. */
export function withTimeouts(session: Session, change: TimeoutChange, now: number): Session {
  const { absolute, inactive, offline, warning } = session.timeouts;
  const timeouts: Timeouts = {
    absolute: milliseconds(change.absolute, absolute),
    inactive: milliseconds(change.inactive, inactive),
    offline: milliseconds(change.offline, offline),
    warning: milliseconds(change.warning, warning),
  };
  if (change.reset === false) return { ...session, timeouts };
  const offlineAt = session.offlineAt === null ? null : now;
  return { ...session, timeouts, countedFrom: now, inputAt: now, offlineAt };
}

/** What integrators are told of a session's timeouts. */
export function timeoutsInForce({ absolute, inactive, offline, warning }: Timeouts): TimeoutsInForce {
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  return {
    absolute: seconds(absolute),
    inactive: seconds(inactive),
    offline: seconds(offline),
    warning: seconds(warning),
  };
}
