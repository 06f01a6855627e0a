/** Delays before the first reconnection attempts, in milliseconds: a restarted service is back in a second or two. */
const FIRST = [100, 200, 400, 800];
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
