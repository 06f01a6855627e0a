import { TokenBucket } from '../../lib/token-bucket.js';
import type { ViewerMessage } from './from-viewer.js';

/** What each viewer may always cost, whatever others do: far more than a person at a keyboard does. */
const OWN = { perSecond: 60, burst: 60 };

/** What the viewers of one session, and those of one address, may cost together beyond that. */
const SHARED = { perSecond: 5000, burst: 5000 };

/** Most that one viewer takes of these. */
const EXTRA = { perSecond: 400, burst: 400 };

/** Pings of one viewer, which are answered. */
const PINGS = { perSecond: 20, burst: 20 };

/** Bytes that cost as much as a message: of JSON, which is parsed, and of what is passed on as it is. */
const TEXT_BYTES = 256;
const BINARY_BYTES = 4096;

/** What a call costs: it is carried out, recorded and answered. */
const CALL_COST = 10;

/** Viewers whose subscriptions or seats are looked at for the cost of one message. */
const VIEWERS_PER_COST = 16;

/** A budget that the viewers of one session, or of one address, share. */
export const sharedBudget = (): TokenBucket => new TokenBucket(SHARED.perSecond, SHARED.burst);

/**
 * What one viewer's messages may cost, in messages that the service handles or sends, about 10 us of the event loop
 * each. A viewer that has used up its own budget uses those that it shares, and where these are used up, waits: so
 * nobody else's own budget can be taken.
 */
export class Allowance {
  readonly #own = new TokenBucket(OWN.perSecond, OWN.burst);
  readonly #pings = new TokenBucket(PINGS.perSecond, PINGS.burst);
  /** What is not its own: all must have enough. */
  readonly #further: readonly TokenBucket[];

  constructor(shared: readonly TokenBucket[]) {
    this.#further = [new TokenBucket(EXTRA.perSecond, EXTRA.burst), ...shared];
  }

  /** Charges a message; returns how long the viewer must wait before its next one, ms. */
  spend(now: number, cost: number): number {
    if (this.#own.take(now, cost) || this.#takeFurther(now, cost)) return 0;
    return this.#own.spend(now, cost);
  }

  /** Charges a ping and its answer. */
  ping(now: number): number {
    return Math.max(this.#pings.spend(now, 1), this.spend(now, 2));
  }

  #takeFurther(now: number, cost: number): boolean {
    if (!this.#further.every(budget => budget.holds(now, cost))) return false;
    for (const budget of this.#further) budget.spend(now, cost);
    return true;
  }
}

/** What a binary message costs. */
export const binaryCost = (bytes: number): number => 1 + bytes / BINARY_BYTES;

/** What a text message costs before it is known what it says. */
export const textCost = (characters: number): number => 1 + characters / TEXT_BYTES;

/** What it costs to carry out a message in a session of so many viewers, besides receiving it. */
export function effectCost({ type }: ViewerMessage, viewers: number): number {
  switch (type) {
    case 'call':
      return CALL_COST + viewers / VIEWERS_PER_COST;
    case 'join':
    case 'admin':
    case 'media':
    case 'refresh':
      return viewers / VIEWERS_PER_COST;
    default:
      return 0;
  }
}
