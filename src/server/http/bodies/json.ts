import express, { type Request, type Response } from 'express';
import { HttpError } from '../../model/index.js';
import { hasBody } from './has-body.js';

const MAX_BYTES = '256kb';

const parse = express.json({ limit: MAX_BYTES, strict: false, type: isJson });

/**
 * Reads a JSON body; `absent` provides the value for a missing or empty one.
 * @throws HttpError, or an error of the body parser, which the caller is told about
 */
export async function readJson(request: Request, response: Response, absent: () => unknown): Promise<unknown> {
  if (!hasBody(request)) return absent();
  if (!isJson(request)) throw new HttpError('unsupported_media_type');
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: Error) => (error === undefined ? resolve() : reject(error)));
  });
  return request.body === undefined ? absent() : request.body;
}

function isJson(request: Pick<Request, 'headers'>): boolean {
  return /^\s*application\/([\w.-]+\+)?json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
}
