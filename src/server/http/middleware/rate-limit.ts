import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import { HttpError } from '../../model/index.js';

const WINDOW_MS = 60_000;

/** Allows `limit` requests per minute from one address; null if there is no limit. */
export function limitRate(limit: number): RequestHandler | null {
  if (limit === 0) return null;
  return rateLimit({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Which proxies to trust is a separate setting.
    validate: { trustProxy: false, xForwardedForHeader: false, forwardedHeader: false },
    handler: (request, _response, next) => {
      const reset =
        (request as { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime?.getTime() ?? Date.now() + WINDOW_MS;
      next(new HttpError('rate_limited', { retryAfter: Math.max(1, Math.ceil((reset - Date.now()) / 1000)) }));
    },
  });
}
