/** Restart policy of a program that dies. Times in milliseconds. */
export interface RestartPolicy {
  /** Delay before the first restart; doubles with every further death in the window. */
  readonly first: number;
  /** Longest delay. */
  readonly longest: number;
  /** Deaths older than this are forgotten. */
  readonly window: number;
  /** Number of deaths within the window that still lead to a restart. */
  readonly tolerated: number;
}

export type Verdict = { readonly restart: true; readonly delay: number } | { readonly restart: false };

/** Deaths that still count at `now`. */
export const recent = (deaths: readonly number[], now: number, policy: RestartPolicy) =>
  deaths.filter(at => now - at < policy.window);

/** Decides after a death; `deaths` are the times of the recent ones, including the latest. */
export function judge(deaths: readonly number[], policy: RestartPolicy): Verdict {
  if (deaths.length > policy.tolerated) return { restart: false };
  return { restart: true, delay: Math.min(policy.longest, policy.first * 2 ** Math.max(0, deaths.length - 1)) };
}
