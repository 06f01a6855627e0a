import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { withoutSecretText } from '../../../protocol/secret-text.js';
import { addressKey } from '../../lib/address-key.js';
import { type Counted, LineBudget } from '../../lib/line-budget.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Identifies the request in the log and in the header `x-request-id`. */
    id: string;
  }
}

/**
 * Lines of requests a minute. Those that failed have a budget of their own: whoever sends them may have no credential.
 */
const ANSWERED = { perKey: 6000, perAddress: 6000, total: 60_000 };
const FAILED = { perKey: 60, perAddress: 300, total: 3000 };

/** Assigns each request an ID. */
export const identify: RequestHandler = (request, response, next) => {
  request.id = randomUUID();
  response.set('x-request-id', request.id);
  next();
};

/**
 * Logs the end of each request; those beyond the budgets as one line a minute with their number. Query strings are left
 * out because they contain tokens.
 */
export function requestLog(log: Logger): RequestHandler {
  // Of its fields only the path is the caller's; the others need not be searched for secrets.
  const requests = log.child({}, { redact: [], formatters: { log: fields => fields } });
  const counted = ({ sample, address, count, since }: Counted<object>) =>
    requests.info({ ...sample, address, count, since }, 'requests');
  const [answered, failed] = [new LineBudget<object>(ANSWERED, counted), new LineBudget<object>(FAILED, counted)];
  return (request, response, next) => {
    const begun = performance.now();
    // Later the connection may be gone.
    const address = addressKey(request.ip ?? '');
    response.once('close', () => {
      const { statusCode: status } = response;
      const { id: operation, quiet } = request.match?.operation ?? {};
      const level = quiet === true ? 'debug' : 'info';
      if (!requests.isLevelEnabled(level)) return;
      const kind = { method: request.method, operation, status };
      if (!(status < 400 ? answered : failed).admit(address, `${request.method} ${operation} ${status}`, kind)) return;
      const path = withoutSecretText(request.originalUrl.split('?', 1)[0] ?? '');
      const session = /^\/(?:s|v0\/vm)\/([A-Za-z0-9_-]{22})(?:\/|$)/.exec(path)?.[1];
      const ms = Math.round(performance.now() - begun);
      requests[level]({ request: request.id, method: request.method, path, status, ms, session }, 'request');
    });
    next();
  };
}
