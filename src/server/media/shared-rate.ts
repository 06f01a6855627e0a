/** With several viewers of a session's only layer, a slower path does not reduce the quality for the others, kbit/s. */
export const SHARED_MIN_KBPS = 1000;

/** The same of the small layer. */
export const SMALL_MIN_KBPS = 300;

/** Where there is a small layer: a path of this rate gets all that the full layer needs, kbit/s. */
const ENOUGH_KBPS = 12_000;

/** Share of the fastest path below which another one is too slow for the same layer. */
const NEAR_SHARE = 0.5;

/** One viewer's path. */
export interface PathRate {
  /** The bit rate that it can take now. */
  kbps: number;
  /** The bit rate that it carries: it takes less while it drains. */
  capacityKbps: number;
  /** When it was last congested, ms of performance.now(). */
  congestedAt: number;
  /** For how long it has been congested without a break, ms. */
  lateMs: number;
  /** The viewer has gone silent, or nothing is sent to it. */
  isStalled: boolean;
}

/** The rate below which a path is too slow for the full layer, if others are as fast as `bestKbps` and get it. */
export const tooSlowBelow = (bestKbps: number): number => Math.min(bestKbps, ENOUGH_KBPS) * NEAR_SHARE;

/**
 * The common rate for all viewers of a layer: the slowest path of at least `leastKbps` decides; slower or stalled paths
 * count only if there are no others.
 */
export function sharedRate(paths: readonly Pick<PathRate, 'kbps' | 'isStalled'>[], leastKbps: number): number {
  const rates = paths.map(({ kbps }) => kbps);
  if (rates.length === 1) return Math.round(rates[0] ?? leastKbps);
  const able = paths.filter(({ kbps, isStalled }) => !isStalled && kbps >= leastKbps);
  if (able.length > 0) return Math.round(Math.min(...able.map(({ kbps }) => kbps)));
  return Math.round(Math.max(leastKbps, ...rates));
}
