import type { FoundContainer } from '../../engines/index.js';
import { WARM_MAX_AGE_MS } from '../start/warm-pool.js';

/** The party that asks who owns a container. */
export interface Owner {
  /** Identity of its store. */
  store: string;
  replica: string;
  /** Whether the store has a session with this ID, live or ended. */
  knows(sessionId: string): Promise<boolean>;
}

/**
 * Whether a container was started for the owner's store. One of an older version lacks that label: it belongs to the
 * store that has its session; if it is a warm container, to its replica, or to nobody any more.
 */
export async function isOurs({ sessionId, store, warm }: FoundContainer, owner: Owner): Promise<boolean> {
  if (store !== null) return store === owner.store;
  if (await owner.knows(sessionId)) return true;
  return warm !== undefined && (warm.by === owner.replica || isLeftOver(warm.at));
}

/**
 * Whether the replica that created a warm container would have replaced it long ago, so that the replica must be gone.
 */
export function isLeftOver(madeAt: number): boolean {
  return Date.now() - madeAt > 2 * WARM_MAX_AGE_MS;
}

/** Describes for the log whose containers these are: how many belong to each store. */
export function ownersOf(containers: readonly FoundContainer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { store } of containers) counts[store ?? 'unknown'] = (counts[store ?? 'unknown'] ?? 0) + 1;
  return counts;
}
