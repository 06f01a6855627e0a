import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type Callers, HttpError } from '../../model/index.js';
import { noteError } from '../middleware/audit.js';
import { errorPage } from './page.js';
import { toHttpError } from './mapper.js';

const STALLED = new HttpError('body_stalled').status;

/** Handles requests that match no route. */
export const notFound: RequestHandler = () => {
  throw new HttpError('not_found');
};

/** Answers every error: as JSON, or as a page if a browser opened a session's address. */
export function failure(log: Logger, callers: Callers): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    // Whoever ended a stalled body has answered; that its reader fails then is no news.
    if (response.statusCode === STALLED && response.headersSent) return;
    const answer = callers.answering(request.ip ?? '', toHttpError(error));
    noteError(response, answer.code);
    if (answer.status >= 500)
      log.error({ request: request.id, code: answer.code, err: answer.cause ?? answer }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.status(answer.status);
    if (answer.retryAfter !== undefined) response.set('retry-after', String(answer.retryAfter));
    if (answer.status === 401) response.set('www-authenticate', 'Bearer');
    const page = request.path.startsWith('/s/') && request.accepts(['json', 'html']) === 'html';
    if (page) response.type('html').send(errorPage(answer));
    else response.json(answer.body);
  };
}
