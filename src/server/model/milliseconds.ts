/**
 * A timeout of a request, given in seconds, as milliseconds: at least one, as 0 is none. `fallback`, in
 * milliseconds, where it is left out.
 */
export function milliseconds(seconds: number | null | undefined, fallback: number | null): number | null {
  if (seconds === undefined) return fallback;
  return seconds === null ? null : Math.max(1, Math.round(seconds * 1000));
}
