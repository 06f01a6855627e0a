import type { Request, RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';
import type { Logger } from 'pino';
import type { Audit } from '../../audit/index.js';
import { addressKey } from '../../lib/address-key.js';
import { LineBudget } from '../../lib/line-budget.js';
import { HttpError } from '../../model/index.js';

const WINDOW_MS = 60_000;

/** Files of pages cost a tenth of what others do, and a page loads ten of them: many viewers may share an address. */
const FILES_FACTOR = 10;

/** Nothing is written of single requests beyond the limit, only their number. */
const NONE = { perKey: 0, perAddress: 0, total: 0 };

/** Operations that are asked by whoever watches the service, from addresses that others may share; they cost nothing. */
const UNLIMITED: ReadonlySet<string> = new Set(['readHealth', 'readReadiness']);

/** What is told of requests beyond the limit, of each address once a minute. */
interface Tellers {
  log: Logger;
  audit: Audit;
}

/**
 * Allows `limit` requests per minute from one address, and ten times as many for files of pages; null if there is no
 * limit.
 */
export function limitRate(limit: number, { log, audit }: Tellers): RequestHandler | null {
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
  const limiter = (perMinute: number) =>
    rateLimit({
      windowMs: WINDOW_MS,
      limit: perMinute,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      // Which proxies to trust is a separate setting.
      validate: { trustProxy: false, xForwardedForHeader: false, forwardedHeader: false },
      handler: (request, _response, next) => {
        refused.take(addressKey(request.ip ?? ''), '', null);
        const reset =
          (request as { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime?.getTime() ?? Date.now() + WINDOW_MS;
        next(new HttpError('rate_limited', { retryAfter: Math.max(1, Math.ceil((reset - Date.now()) / 1000)) }));
      },
    });
  const [calls, files] = [limiter(limit), limiter(limit * FILES_FACTOR)];
  return (request, response, next) => {
    if (UNLIMITED.has(request.match?.operation.id ?? '')) return next();
    return void (isFile(request) ? files : calls)(request, response, next);
  };
}

/** Whether no operation is asked for, nor anything next to one. */
const isFile = ({ match, path }: Request) => match === null && !/^\/(v0|console|s)(\/|$)/i.test(path);
