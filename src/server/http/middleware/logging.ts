import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { withoutSecretText } from '../../../protocol/secret-text.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Identifies the request in the log and in the header `x-request-id`. */
    id: string;
  }
}

/** Assigns each request an ID and logs its end. Query strings are left out because they contain tokens. */
export function requestLog(log: Logger): RequestHandler {
  // Of its fields only the path is the caller's; the others need not be searched for secrets.
  const requests = log.child({}, { redact: [], formatters: { log: fields => fields } });
  return (request, response, next) => {
    const begun = performance.now();
    request.id = randomUUID();
    response.set('x-request-id', request.id);
    response.once('close', () => {
      const path = withoutSecretText(request.originalUrl.split('?', 1)[0] ?? '');
      const session = /^\/(?:s|v0\/vm)\/([A-Za-z0-9_-]{22})(?:\/|$)/.exec(path)?.[1];
      const ms = Math.round(performance.now() - begun);
      const level = request.match?.operation.quiet === true ? 'debug' : 'info';
      requests[level](
        { request: request.id, method: request.method, path, status: response.statusCode, ms, session },
        'request',
      );
    });
    next();
  };
}
