import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { CallErrorCode } from '../../protocol/call-errors.js';
import { CallError, type Callers, type ErrorCode, HttpError, ProfileError, StartError } from '../model/index.js';
import { NO_CONNECTION, StoreError } from '../store/index.js';
import { errorPage } from './error-page.js';
import { noteError } from './middleware/audit.js';

const STALLED = new HttpError('body_stalled').status;

/** Handles requests that match no route. */
export const notFound: RequestHandler = () => {
  throw new HttpError('not_found');
};

/**
 * Answers every error: as JSON, or as a page if a browser opened a session's address.
 * @param webFolder has the tables of languages
 */
export function failure(log: Logger, callers: Callers, webFolder: string): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    // The body stalled and was answered already; the failure of its reader is only a consequence.
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
    if (!page) return void response.json(answer.body);
    void errorPage(answer, request.acceptsLanguages(), webFolder).then(html =>
      response.type('html').vary('accept-language').send(html),
    );
  };
}

/** Turns whatever a handler threw into an HTTP error; unknown errors become `internal` and reveal nothing. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StartError) {
    const { message, path } = error;
    const details = path === undefined ? {} : { details: [{ path, message }] };
    return new HttpError(error.failure, { message, cause: error, ...details });
  }
  if (error instanceof CallError) return ofCall(error);
  if (error instanceof ProfileError && error.failure === 'unavailable')
    return new HttpError('profile_unavailable', { message: error.message, cause: error });
  if (isStoreFailure(error)) return new HttpError('store_unavailable', { cause: error });
  return ofBodyParser(error) ?? new HttpError('internal', { cause: error });
}

/** Call errors whose HTTP error has a different code. */
const RENAMED = { unknown_method: 'not_found', invalid_arguments: 'invalid_body' } as const;

/** By its type, every call error is one of the interface. */
const nameOf = (code: CallErrorCode): ErrorCode =>
  code === 'unknown_method' || code === 'invalid_arguments' ? RENAMED[code] : code;

function ofCall(error: CallError): HttpError {
  const { message, problems } = error;
  if (problems !== undefined) return new HttpError('invalid_body', { details: problems });
  return new HttpError(nameOf(error.code), { message, cause: error });
}

/** Whether the database was unreachable, or busy for too long. */
function isStoreFailure(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.code === undefined) return false;
  return (
    error.code === NO_CONNECTION ||
    /^(SQLITE_(BUSY|CANTOPEN|FULL|IOERR)|ECONNREFUSED|ECONNRESET|57P0\d)/.test(error.code)
  );
}

/** Errors of the body parser and the router carry a type and a status. */
function ofBodyParser(error: unknown): HttpError | null {
  const { type, status } = (error ?? {}) as { type?: string; status?: number };
  switch (type) {
    case 'entity.parse.failed':
      return new HttpError('invalid_json', { cause: error });
    case 'entity.too.large':
      return new HttpError('body_too_large', { cause: error });
    case 'encoding.unsupported':
      return new HttpError('unsupported_media_type', {
        message: 'Send the body as it is, or with the content encoding gzip, deflate or br.',
        cause: error,
      });
    default:
  }
  return status !== undefined && status >= 400 && status < 500 ? new HttpError('bad_request', { cause: error }) : null;
}
