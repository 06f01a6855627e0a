import { setTimeout as delay } from 'node:timers/promises';

/** Times between attempts, in milliseconds. */
const FIRST = 200;
const LONGEST = 3000;

/** Repeats an attempt with growing pauses until it succeeds. Rejects with its last error when the signal aborts. */
export async function untilDone<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let pause = FIRST; ; pause = Math.min(LONGEST, pause * 2)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
