const FIRST_MS = 15;
const LAST_MS = 1000;

/** As long as containers usually take to come up. */
const EAGER_MS = 1000;

/**
 * Delay before the next attempt to open a link for the first time, ms, when it has been tried for so long. While
 * the container comes up every millisecond of it delays the session's start.
 */
export function openAfter(elapsedMs: number): number {
  return elapsedMs < EAGER_MS ? FIRST_MS : Math.min(LAST_MS, elapsedMs / 10);
}

/** Delay before the next attempt to open a link again, ms; scattered, since all links of a service may be lost at once. */
export function reopenAfter(attempt: number): number {
  return Math.min(LAST_MS, FIRST_MS * 2 ** attempt) * (0.75 + Math.random() / 2);
}
