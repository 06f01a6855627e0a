/** A signal that aborts with any of the others, and with a TimeoutError after `ms` milliseconds. */
export function withDeadline(ms: number, ...others: AbortSignal[]): AbortSignal {
  const late = AbortSignal.timeout(ms);
  // Node collects a timeout that only a signal made of it refers to, unless somebody listens: it would never come.
  late.addEventListener('abort', () => {});
  return AbortSignal.any([late, ...others]);
}

/** Waits for `work`, but no longer than until `signal` aborts; the work itself goes on. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
