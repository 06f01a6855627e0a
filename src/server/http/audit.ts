import type { Request, RequestHandler, Response } from 'express';
import { actOf, type Actor, actorOf, type Audit } from '../audit/index.js';
import type { ErrorCode, Session } from '../model/index.js';
import { credentialOf } from './credentials.js';

/** What those who answer a request add to what is known of it. */
interface Notes {
  details?: Record<string, unknown>;
  code?: ErrorCode;
}

const notes = new WeakMap<object, Notes>();

/** Notes what a request was about, for the audit; nothing secret. */
export function note(response: Response, details: Record<string, unknown>): void {
  notes.set(response, { ...notes.get(response), details });
}

/** Notes what a start led to. */
export function noteStart(response: Response, { id, launch, profile }: Session, created: boolean): void {
  const { load, save } = profile;
  const profiles = { ...(load && { profile_load: load }), ...(save && { profile_save: save }) };
  note(response, { session: id, kind: launch.kind, created, ...(created ? profiles : {}) });
}

/** Notes the error that a request is answered with. */
export function noteError(response: Response, code: ErrorCode): void {
  notes.set(response, { ...notes.get(response), code });
}

/** Records each request that does something, or tells a credential, when it is answered. */
export function auditRequests(audit: Audit): RequestHandler {
  return (request, response, next) => {
    const act = actOf(request.method, request.path);
    // Later the connection may be gone.
    const { ip } = request;
    if (act !== null) {
      response.once('close', () => {
        const { details, code } = notes.get(response) ?? {};
        audit.record({
          ...act,
          result: resultOf(response),
          actor: actorOf(request) ?? stranger(request),
          ip,
          request: request.id,
          ...(code === undefined ? {} : { code }),
          ...details,
        });
      });
    }
    next();
  };
}

function resultOf({ statusCode, writableFinished }: Response): 'ok' | 'refused' | 'failed' {
  if ([401, 403, 429].includes(statusCode)) return 'refused';
  return statusCode < 400 && writableFinished ? 'ok' : 'failed';
}

/** Somebody whom no guard knows. */
function stranger(request: Request): Actor {
  const shows = credentialOf(request) !== null || 'token' in request.query || 'ticket' in request.query;
  return { type: shows ? 'unknown' : 'none' };
}
