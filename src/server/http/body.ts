import express, { type Request, type RequestHandler } from 'express';
import { HttpError } from '../model/index.js';

const MAX_BYTES = '256kb';

const parse = express.json({ limit: MAX_BYTES, strict: false, type: isJson });

/** Reads a JSON body; none, or an empty one, is what `absent` makes. */
export const readJson = (absent: () => unknown): RequestHandler[] => [
  (request, _response, next) => {
    if (hasBody(request) && !isJson(request)) throw new HttpError('unsupported_media_type');
    next();
  },
  parse,
  (request, _response, next) => {
    if (!hasBody(request) || request.body === undefined) request.body = absent();
    next();
  },
];

/** Reads a JSON body; none, or an empty one, is `{}`. */
export const jsonBody = readJson(() => ({}));

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

function isJson(request: Pick<Request, 'headers'>): boolean {
  return /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}
