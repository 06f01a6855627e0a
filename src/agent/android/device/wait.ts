import { setTimeout as delay } from 'node:timers/promises';

/** How long `briefly` waits, milliseconds. */
const BRIEF = 500;

/** Rejects when a signal aborts. */
export const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Waits for something until a signal aborts. */
export const withSignal = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([work, aborted(signal)]);

/** Waits a moment for something that is no longer needed to end; failures are ignored. */
export async function briefly(work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([Promise.allSettled([work]), delay(BRIEF)]);
}
