import type { Fields, Log } from './log.js';

/** Milliseconds in which an event that others can provoke is logged once. */
const INTERVAL = 10_000;

/** Warns of an event at most every ten seconds, with the number of those left out. */
export function sparseWarning(log: Log, event: string, clock: () => number = () => performance.now()) {
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
