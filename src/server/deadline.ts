/** A signal that aborts with any of the others, and with a TimeoutError after `ms` milliseconds. */
export function withDeadline(ms: number, ...others: AbortSignal[]): AbortSignal {
  const late = AbortSignal.timeout(ms);
  // Node collects a timeout that only a signal made of it refers to, unless somebody listens: it would never come.
  late.addEventListener('abort', () => {});
  return AbortSignal.any([late, ...others]);
}
