import type { Request, RequestHandler } from 'express';
import { type ClientRateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Audit } from '../../audit/index.js';
import { addressKey } from '../../lib/address-key.js';
import { LineBudget } from '../../lib/line-budget.js';
import { HttpError } from '../../model/index.js';

const WINDOW_MS = 60_000;

/** A request for a page's files counts a tenth: a page loads ten of them, and many viewers may share an address. */
const FILES_FACTOR = 10;

/** Requests beyond the limit are only counted, never logged one by one. */
const NONE = { perKey: 0, perAddress: 0, total: 0 };

/** Health checks, which do not count: monitoring may share its address with others. */
const UNLIMITED: ReadonlySet<string> = new Set(['readHealth', 'readReadiness']);

/** Where requests beyond the limit are reported, once a minute for each address. */
interface Reports {
  log: Logger;
  audit: Audit;
}

/**
 * Allows `limit` requests per minute from one address, and ten times as many for files of pages; null if there is no
 * limit.
 */
export function limitRate(limit: number, { log, audit }: Reports): RequestHandler | null {
  if (limit === 0) return null;
  const refused = new LineBudget<null>(NONE, ({ address, count, since }) => {
    log.warn({ address, count, since }, 'requests over the limit');
    audit.record({
      event: 'requests.limited',
      result: 'refused',
      actor: { type: 'unknown' },
      ...(address === null ? {} : { ip: address }),
      code: 'rate_limited',
      count,
    });
  });
  const limiter = (perMinute: number) => {
    const counts = new Counts();
    return rateLimit({
      windowMs: WINDOW_MS,
      limit: perMinute,
      store: counts,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      // Which proxies to trust is a separate setting.
      validate: { trustProxy: false, xForwardedForHeader: false, forwardedHeader: false },
      handler: (request, _response, next) => {
        refused.admit(addressKey(request.ip ?? ''), '', null);
        next(new HttpError('rate_limited', { retryAfter: Math.max(1, Math.ceil(counts.leftMs / 1000)) }));
      },
    });
  };
  const [calls, files] = [limiter(limit), limiter(limit * FILES_FACTOR)];
  return (request, response, next) => {
    if (UNLIMITED.has(request.match?.operation.id ?? '')) return next();
    return void (isFile(request) ? files : calls)(request, response, next);
  };
}

/** Whether a request is for neither an operation nor an address below the operations' paths. */
const isFile = ({ match, path }: Request) => match === null && !/^\/(v0|console|s)(\/|$)/i.test(path);

/**
 * Requests by address within a minute that is the same for all and begins with a request. The library's own store
 * counts by the machine's clock: set back by an hour, it would refuse for an hour.
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
    // The library turns it into seconds, by the machine's clock.
    return { totalHits, resetTime: new Date(Date.now() + this.leftMs) };
  }

  decrement(key: string): void {
    this.#counts.set(key, Math.max(0, (this.#counts.get(key) ?? 0) - 1));
  }

  resetKey(key: string): void {
    this.#counts.delete(key);
  }
}
