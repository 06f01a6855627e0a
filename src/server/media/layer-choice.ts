import type { Layer } from '../agent-link/index.js';
import { type PathRate, tooSlowBelow } from './shared-rate.js';

/**
 * How long a path must be congested without a break before its viewer leaves the full layer, ms: lost packets delay what
 * follows them for a moment only.
 */
const LATE_MS = 300;

/** Congestion this long ago is over, ms: nothing is sent that would tell. */
const RECENT_MS = 500;

/**
 * Time after a return in which the key frame's own queue is not taken for a slow path: ms, and a multiple of the time
 * that it takes on the path.
 */
const SETTLE = { ms: 300, ofKey: 1.5 };

/** Time after which a viewer returns to the full layer if nobody else gets that, ms. */
export const ALONE_MS = 1000;

/**
 * Time without congestion after which the full layer is tried again, ms. Doubles with each attempt that fails, and is
 * reset by one that has succeeded for PROVEN_MS.
 */
export const FIRST_HOLD_MS = 10_000;
export const MAX_HOLD_MS = 120_000;
const PROVEN_MS = 60_000;

/** The same if the full layer takes only a share of what the path has carried, as while the screen is still. */
const FITTING_SHARE = 0.5;
const FITTING_HOLD = { share: 0.5, most: 20_000 };

/** Longest time that a key frame of the full layer may take on the path, ms. */
const KEY_MS = 700;

/** What decides about the layer of one viewer. */
export interface ViewerPath extends Pick<PathRate, 'capacityKbps' | 'congestedAt' | 'lateMs'> {
  /** Frames are being dropped because the viewer is behind. */
  isBehind: boolean;
}

/** The full layer as others get it. */
export interface FullLayer {
  /** How many other viewers get it. */
  others: number;
  /** Rate of the fastest of their paths, kbit/s; 0 if all are stalled. */
  bestKbps: number;
  /** The layer's own rate in the last seconds, kbit/s. */
  usedKbps: number;
  /** Size of its last key frame, bytes. */
  keyBytes: number;
}

/**
 * Decides which layer one viewer gets: the small one as soon as its path is congested and much slower than others', the
 * full one again when its path has carried everything for a while, or nobody else gets the full one. Times are ms of
 * any monotonic clock.
 */
export class LayerChoice {
  #layer: Layer = 'full';
  #movedAt = -Infinity;
  #holdMs = FIRST_HOLD_MS;

  get layer(): Layer {
    return this.#layer;
  }

  /** The layer from now on. */
  decide(path: ViewerPath, full: FullLayer, now: number): Layer {
    if (this.#layer === 'full' ? this.#mustLeave(path, full, now) : this.#mayReturn(path, full, now)) {
      this.#move(now);
    }
    return this.#layer;
  }

  #mustLeave(path: ViewerPath, { bestKbps, keyBytes }: FullLayer, now: number): boolean {
    if (bestKbps === 0) return false;
    if (path.isBehind) return true;
    return (
      path.capacityKbps < tooSlowBelow(bestKbps) &&
      path.lateMs >= LATE_MS &&
      now - path.congestedAt < RECENT_MS &&
      now - this.#movedAt >= SETTLE.ms + SETTLE.ofKey * keyMs(keyBytes, path)
    );
  }

  #mayReturn(path: ViewerPath, full: FullLayer, now: number): boolean {
    if (full.others === 0) return now - this.#movedAt >= ALONE_MS;
    if (path.isBehind || keyMs(full.keyBytes, path) > KEY_MS) return false;
    const calmMs = now - Math.max(path.congestedAt, this.#movedAt);
    const fits = full.usedKbps <= path.capacityKbps * FITTING_SHARE;
    return calmMs >= (fits ? Math.min(this.#holdMs * FITTING_HOLD.share, FITTING_HOLD.most) : this.#holdMs);
  }

  #move(now: number): void {
    if (this.#layer === 'full') {
      // Only a return that has failed makes the next one wait longer.
      const stayedMs = now - this.#movedAt;
      if (stayedMs >= PROVEN_MS) this.#holdMs = FIRST_HOLD_MS;
      else this.#holdMs = Math.min(this.#holdMs * 2, MAX_HOLD_MS);
    }
    this.#layer = this.#layer === 'full' ? 'small' : 'full';
    this.#movedAt = now;
  }
}

/** How long a key frame of this size takes on a path, ms. */
const keyMs = (bytes: number, { capacityKbps }: ViewerPath): number => (bytes * 8) / capacityKbps;
