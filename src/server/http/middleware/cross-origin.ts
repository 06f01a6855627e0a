import type { RequestHandler, Response } from 'express';

/** Headers of answers that pages may read, besides those that they always may. */
const EXPOSED = [
  'content-disposition',
  'etag',
  'preference-applied',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-request-id',
].join(', ');

/** Headers that pages may send: those that are read, and what clients are known to add. */
const ALLOWED = [
  'authorization',
  'content-type',
  'prefer',
  'idempotency-key',
  'if-none-match',
  'traceparent',
  'tracestate',
  'x-request-id',
  'x-requested-with',
].join(', ');

/** Lets pages of any origin read an answer. */
export function setCrossOrigin(response: Response): void {
  response.set({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED,
    'cross-origin-resource-policy': 'cross-origin',
  });
}

/** Lets pages of any origin read whatever is answered, errors as well. */
export const readable: RequestHandler = (_request, response, next) => {
  setCrossOrigin(response);
  next();
};

/** Pages of any origin may call; access depends on the token alone. */
export const crossOrigin: RequestHandler = (request, response, next) => {
  setCrossOrigin(response);
  if (request.method !== 'OPTIONS') return next();
  response.set({
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': ALLOWED,
    'access-control-max-age': '600',
  });
  response.status(204).end();
};
