import type { Fields, Log } from './log.js';

/** Interval in milliseconds in which an event that others can provoke is logged once. */
const INTERVAL = 10_000;

/** Logs a warning at most every ten seconds, with the number of suppressed ones. */
export function throttledWarning(log: Log, event: string, clock: () => number = () => performance.now()) {
  let last = -Infinity;
  let leftOut = 0;
  return (fields: Fields): void => {
    if (clock() - last < INTERVAL) {
      leftOut++;
      return;
    }
    last = clock();
    log.warn(event, { ...fields, left_out: leftOut });
    leftOut = 0;
  };
}
