import type { RequestHandler } from 'express';
import { type ClientRateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { HttpError } from '../../model/index.js';

const WINDOW_MS = 60_000;

/** Allows `limit` requests per minute from one address; null if there is no limit. */
export function limitRate(limit: number): RequestHandler | null {
  if (limit === 0) return null;
  const counts = new Counts();
  return rateLimit({
    windowMs: WINDOW_MS,
    limit,
    store: counts,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Which proxies to trust is a separate setting.
    validate: { trustProxy: false, xForwardedForHeader: false, forwardedHeader: false },
    handler: (_request, _response, next) => {
      next(new HttpError('rate_limited', { retryAfter: Math.max(1, Math.ceil(counts.leftMs / 1000)) }));
    },
  });
}

/**
 * Requests by address within a minute that is the same for all and begins with a request. The library's own store counts
 * by the machine's clock: set back by an hour, it would refuse for an hour.
 */
class Counts implements Store {
  readonly localKeys = true;
  readonly #counts = new Map<string, number>();
  /** Ms of performance.now(). */
  #endsAt = 0;

  /** Milliseconds until all addresses count from 0 again. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  increment(key: string): ClientRateLimitInfo {
    if (performance.now() >= this.#endsAt) {
      this.#counts.clear();
      this.#endsAt = performance.now() + WINDOW_MS;
    }
    const totalHits = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, totalHits);
    // The library makes seconds of it, by the machine's clock.
    return { totalHits, resetTime: new Date(Date.now() + this.leftMs) };
  }

  decrement(key: string): void {
    this.#counts.set(key, Math.max(0, (this.#counts.get(key) ?? 0) - 1));
  }

  resetKey(key: string): void {
    this.#counts.delete(key);
  }
}
