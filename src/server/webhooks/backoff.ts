const FIRST_MS = 1000;
const MAX_MS = 15 * 60_000;

/** Requests not accepted within this time are given up. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

/**
 * The delay after attempt number `attempt`, from 1, in milliseconds: doubles from a second up to a quarter of an hour,
 * minus a random share of up to a half so that receivers are not hit all at once. `random` is from 0 to 1.
 */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full * (1 - random / 2));
}
