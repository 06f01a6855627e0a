import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { type AuditAction, type Actor, actorOf, type Audit } from '../../audit/index.js';
import type { ErrorCode, Session } from '../../model/index.js';
import { credentialOf } from '../credentials/api-keys.js';
import type { Match } from '../table/match.js';

/** Details that handlers add to a request's audit event. */
interface Notes {
  details?: Record<string, unknown>;
  code?: ErrorCode;
}

const notes = new WeakMap<object, Notes>();

/** Notes what a request was about, for the audit log; nothing secret. */
export function note(response: Response, details: Record<string, unknown>): void {
  notes.set(response, { ...notes.get(response), details });
}

/** Notes the outcome of a start; `repeated`: its idempotency key came before. */
export function noteStart(
  response: Response,
  { session, created, repeated }: { session: Session; created: boolean; repeated: boolean },
): void {
  const { id, launch, profile } = session;
  const { load, save } = profile;
  const profiles = { ...(load && { profile_load: load }), ...(save && { profile_save: save }) };
  const isNew = created && !repeated;
  note(response, {
    ...{ session: id, kind: launch.kind, created: isNew },
    ...(isNew ? profiles : {}),
    ...(repeated ? { repeated } : {}),
  });
}

/** Notes the error that a request is answered with; the first one counts. */
export function noteError(response: ServerResponse, code: ErrorCode): void {
  notes.set(response, { code, ...notes.get(response) });
}

/** Records each request that changes something or reveals a credential, once it is answered. */
export function auditRequests(audit: Audit): RequestHandler {
  return (request, response, next) => {
    const act = actOf(request.match);
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

/** Path parameters that are recorded, with their names and formats; nothing else gets in. */
const RECORDED: Readonly<Record<string, readonly [detail: string, form: RegExp]>> = {
  session_id: ['session', /^[\w-]{22}$/],
  profile_id: ['profile', /^[\w-]{22}$/],
  user_id: ['user', /^[\w-]{1,64}$/],
  file: ['file', /^[\w-]{1,64}$/],
};

/** A request's event and its path parameters; null if the audit log does not cover it, or it is malformed. */
function actOf(match: Match | null): AuditAction | null {
  if (match === null || match.operation.audit === null) return null;
  const {
    operation: { audit },
    params,
  } = match;
  const act = typeof audit === 'string' ? { event: audit } : audit(params);
  const details: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    const [detail, form] = RECORDED[name] ?? [];
    if (detail === undefined || form === undefined) continue;
    if (!form.test(value)) return null;
    details[detail] = value;
  }
  return { ...details, ...act };
}

function resultOf({ statusCode, writableFinished }: Response): 'ok' | 'refused' | 'failed' {
  if ([401, 403, 429].includes(statusCode)) return 'refused';
  return statusCode < 400 && writableFinished ? 'ok' : 'failed';
}

/** A caller that no guard has identified. */
function stranger(request: Request): Actor {
  const hasCredential = credentialOf(request) !== null || 'token' in request.query || 'ticket' in request.query;
  return { type: hasCredential ? 'unknown' : 'none' };
}
