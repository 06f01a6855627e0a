const FIRST_MS = 1000;
const MAX_MS = 15 * 60_000;

/** Requests that nobody took within this time are given up. */
export const GIVE_UP_AFTER_MS = 24 * 60 * 60_000;

/**
 * How long to wait after the try number `attempt`, from 1, in milliseconds: doubling from a second to a
 * quarter of an hour, a random part of up to a half taken off so that receivers are not hit all at once.
 * `random` is from 0 to 1.
 */
export function backoff(attempt: number, random: number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 30));
  return Math.round(full * (1 - random / 2));
}
