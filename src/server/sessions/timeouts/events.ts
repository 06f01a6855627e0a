import type { TimeoutEvent } from '../../../protocol/generated/schemas.js';
import type { Deadline, Ending, Session } from '../../model/index.js';
import type { TimeoutItem } from '../../store/index.js';

/** A deadline as viewers see it. */
export function closeWarning(deadline: Deadline, now: number) {
  return {
    type: 'warning' as const,
    timeout: deadline.type,
    delay_ms: Math.max(0, deadline.at - now),
    close_date: new Date(deadline.at).toISOString(),
  };
}

/** The webhook event of a session that a timeout ended; null if none is due. */
export function timeoutEvent(ending: Ending): (session: Session, now: number) => TimeoutItem | null {
  return (session, now) => {
    const { reason } = ending;
    if (reason !== 'absolute' && reason !== 'inactive' && reason !== 'offline') return null;
    return item(session, `timeout-${reason}`, { session_id: session.id, type: reason, event: 'timeout' }, now);
  };
}

/** The webhook event that warns of a deadline; null if the session has no webhook. */
export function warningEvent(session: Session, deadline: Deadline, now: number): TimeoutItem | null {
  const event: TimeoutEvent = {
    session_id: session.id,
    type: deadline.type,
    event: 'warning',
    seconds_left: Math.max(0, (deadline.at - now) / 1000),
    termination_date: new Date(deadline.at).toISOString(),
  };
  return item(session, `warning-${deadline.type}-${deadline.at}`, event, now);
}

/** The same event always gets the same ID, so that a repetition after a crash can be recognized. */
function item(session: Session, name: string, event: TimeoutEvent, now: number): TimeoutItem | null {
  if (session.webhook === null) return null;
  return {
    id: `${session.id}-${name}`,
    sessionId: session.id,
    event: event.event,
    url: session.webhook.url,
    bearer: session.webhook.bearer,
    secret: session.webhook.secret,
    body: JSON.stringify(event),
    createdAt: now,
    nextAt: now,
    attempts: 0,
  };
}
