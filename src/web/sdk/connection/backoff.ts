/**
 * Delays before the first reconnection attempts, in milliseconds: a restarted service is back in a second or two, one
 * that a cluster replaces in three or four.
 */
const FIRST = [100, 200, 400, 500, 500, 500, 500, 500, 500, 500];
const QUICK = 1000;
const SLOW = 5000;
/** After this many attempts, the service is not just restarting. */
const QUICK_TRIES = 30;

/**
 * The delay before a reconnection attempt.
 * @param attempt counts from 0
 * @param random from 0 to 1, spreads many viewers
 */
export function backoff(attempt: number, random: number): number {
  const wait = FIRST[attempt] ?? (attempt < QUICK_TRIES ? QUICK : SLOW);
  return wait * (0.8 + 0.4 * random);
}

/** The deadline of a first connection, and the longest of all, milliseconds. */
export const LONGEST_MS = 5000;
const SHORTEST_MS = 1000;
/** Round trips that opening a WebSocket over TLS takes, and as many again for a path that has become slower. */
const ROUND_TRIPS = 8;

/**
 * How long an attempt to connect waits for an answer, whole milliseconds. While a service is replaced, what is sent to it can
 * get lost without an answer for a moment; the system asks again after ever longer pauses only, a new attempt at once.
 * @param attempt counts from 0, which is the first connection; later ones are reconnections
 * @param rtt round trip of the connection that was lost, milliseconds; null: unknown
 */
export function deadline(attempt: number, rtt: number | null): number {
  if (attempt === 0) return LONGEST_MS;
  const first = Math.max(SHORTEST_MS, ROUND_TRIPS * (rtt ?? 0));
  return Math.ceil(Math.min(LONGEST_MS, first * 2 ** (attempt - 1)));
}
