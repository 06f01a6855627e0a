import type { Logger } from 'pino';

const INTERVAL_MS = 60_000;

/**
 * Logs what a container or a viewer can provoke: at most once in `intervalMs`, with the number of those left out since
 * (`left_out`). `now`: milliseconds of a monotonic clock.
 */
export function throttledLog(log: Logger, intervalMs = INTERVAL_MS, now = () => performance.now()) {
  let last = -Infinity;
  let leftOut = 0;
  return (level: 'debug' | 'info' | 'warn', fields: object, text: string): void => {
    if (now() - last < intervalMs) {
      leftOut++;
      return;
    }
    last = now();
    log[level]({ ...fields, ...(leftOut === 0 ? {} : { left_out: leftOut }) }, text);
    leftOut = 0;
  };
}
