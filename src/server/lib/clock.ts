/** UTC milliseconds at which `performance.now()` was 0, by this clock. */
let origin = performance.timeOrigin;

/**
 * The service's clock: what timeouts, leases, retries and usage count by, and where the dates come from that others see.
 * It takes its time from the machine's clock once and goes on with the monotonic clock, so a step of the machine's clock
 * neither ends sessions nor keeps them from ending.
 */
export const clock = {
  /** The time, UTC milliseconds, an integer. Never goes back, except by `set`. */
  now: (): number => Math.floor(origin + performance.now()),

  /** Makes it `time` now, UTC milliseconds. Only while nothing counts by it. */
  set(time: number): void {
    origin = time - performance.now();
  },
};
