import type { Exit } from '../../engines/index.js';
import { type Ending, nextDeadline, type Session } from '../../model/index.js';

/** Status of a container whose agent died too often (images/base/etc/start). */
const AGENT_GIVEN_UP = 70;

/**
 * When a container died that was heard of last at `heardAt`, UTC milliseconds. The engine's word counts as far as its
 * clock can be right; where it does not know, the container counts as alive no longer than it was heard of.
 */
export function diedAt(exit: Exit | undefined, heardAt: number | null, now: number): number {
  const known = exit?.at ?? heardAt ?? now;
  return Math.min(Math.max(known, heardAt ?? known), now);
}

/**
 * How a running session ended whose container is found dead, or gone (`exit` is undefined then): by the timeout that
 * struck while nobody watched, or by the container's death, whichever was first.
 */
export function endingOf(session: Session, exit: Exit | undefined, now: number): Ending {
  // What an older version wrote is heard of at its last input at least.
  const heardAt = session.seenAt ?? Math.max(session.readyAt ?? session.createdAt, session.inputAt);
  const at = diedAt(exit, heardAt, now);
  const deadline = nextDeadline(session);
  if (deadline !== null && deadline.at <= at) return { reason: deadline.type, at: deadline.at };
  return { reason: 'crashed', message: exit === undefined ? GONE : messageOf(exit), at };
}

const GONE = "The session's container is gone.";

/** What integrators are told of a container's end. */
export function messageOf({ code, outOfMemory }: Exit): string {
  if (outOfMemory) return 'The session ran out of memory.';
  if (code === AGENT_GIVEN_UP) return "The agent in the session's container could not be kept running.";
  return code === null ? "The session's container was removed." : `The session's container ended with status ${code}.`;
}
