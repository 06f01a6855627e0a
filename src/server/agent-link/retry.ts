const FIRST_MS = 15;
const LAST_MS = 1000;

/** Typical start-up time of a container. */
const EAGER_MS = 1000;

/**
 * Delay before the next attempt to open a link for the first time, ms, after retrying for the given time. While the
 * container comes up, every millisecond of it delays the session's start.
 */
export function openAfter(elapsedMs: number): number {
  return elapsedMs < EAGER_MS ? FIRST_MS : Math.min(LAST_MS, elapsedMs / 10);
}

/** Delay before the next reconnection attempt, ms; jittered, since all links of a service may be lost at once. */
export function reopenAfter(attempt: number): number {
  return Math.min(LAST_MS, FIRST_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
}
