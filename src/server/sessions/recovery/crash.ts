import type { Exit } from '../../engines/index.js';
import { type Ending, nextDeadline, type Session } from '../../model/index.js';

/** Exit status of a container whose agent crashed too often (images/base/etc/start). */
const AGENT_GIVEN_UP = 70;

/** Exit status of a container that reached what must be closed to it (src/agent/lib/canary.ts). */
const EXPOSED = 71;

/**
 * When a container died that was last heard from at `heardAt`, UTC milliseconds. The engine's time counts within the
 * bounds of clock skew; if the engine does not know, the container counts as alive until it was last heard from.
 */
export function diedAt(exit: Exit | undefined, heardAt: number | null, now: number): number {
  const known = exit?.at ?? heardAt ?? now;
  return Math.min(Math.max(known, heardAt ?? known), now);
}

/**
 * How a running session ended whose container is found dead, or gone (`exit` is undefined then): by a timeout that
 * expired meanwhile, or by the container's death, whichever came first.
 */
export function endingOf(session: Session, exit: Exit | undefined, now: number): Ending {
  // Rows of older versions have at least the last input.
  const heardAt = session.seenAt ?? Math.max(session.readyAt ?? session.createdAt, session.inputAt);
  const at = diedAt(exit, heardAt, now);
  const deadline = nextDeadline(session);
  if (deadline !== null && deadline.at <= at) return { reason: deadline.type, at: deadline.at };
  return { reason: 'crashed', message: exit === undefined ? GONE : messageOf(exit), at };
}

const GONE = "The session's container is gone.";

/** Describes a container's end to integrators. */
export function messageOf(exit: Exit): string {
  switch (exit.type) {
    case 'out-of-memory':
      return 'The session ran out of memory.';
    case 'removed':
      return "The session's container was removed.";
    case 'evicted':
      return exit.reason;
    case 'status':
      if (exit.code === AGENT_GIVEN_UP) return "The agent in the session's container could not be kept running.";
      if (exit.code === EXPOSED)
        return "The session's container was not isolated from private networks, so it was ended.";
      return `The session's container ended with status ${exit.code}.`;
  }
}
