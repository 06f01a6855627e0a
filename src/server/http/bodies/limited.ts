import type { Request } from 'express';
import { Transform } from 'node:stream';
import { HttpError } from '../../model/index.js';

/** @throws HttpError, with this message, if the caller announces a body longer than `maxBytes` */
export function checkLength({ headers }: Pick<Request, 'headers'>, maxBytes: number, message: string): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new HttpError('body_too_large', { message });
}

/** The body, up to the limit. The request itself survives a failure, so that it can be answered. */
export function limitedBody<P>(request: Request<P>, maxBytes: number, message: string): Transform {
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new HttpError('body_too_large', { message }));
      else done(null, chunk);
    },
  });
  request.once('close', () => request.complete || body.destroy(new Error('The caller has gone.')));
  return request.pipe(body);
}
