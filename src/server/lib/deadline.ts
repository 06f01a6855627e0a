/** A signal that aborts with any of the given ones, and with a TimeoutError after `ms` milliseconds. */
export function withDeadline(ms: number, ...others: AbortSignal[]): AbortSignal {
  const late = AbortSignal.timeout(ms);
  // Node garbage-collects a timeout signal that is referenced only by a composed signal without listeners; it would
  // never fire.
  late.addEventListener('abort', () => {});
  return AbortSignal.any([late, ...others]);
}

/** Waits for `work`, but only until `signal` aborts; the work itself continues. */
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
