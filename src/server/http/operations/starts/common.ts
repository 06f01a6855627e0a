import type { Request, Response } from 'express';
import type { ErrorCode, Session } from '../../../model/index.js';
import { noteStart } from '../../middleware/audit.js';
import type { OperationContext } from '../../context.js';
import { json } from '../../table/description.js';
import { CREATED } from '../common.js';

/** Errors of every start. */
const ERRORS: readonly ErrorCode[] = [
  'invalid_body',
  'invalid_json',
  'unauthorized',
  'body_too_large',
  'unsupported_media_type',
  'tag_in_use',
  'webhook_refused',
  'region_unavailable',
  'profile_not_found',
  'profile_wrong_kind',
  'profile_damaged',
  'profile_too_large',
  'capacity',
  'start_failed',
  'profile_unavailable',
  'engine_unavailable',
  'stopping',
  'start_timeout',
];

/** What all starts have in common; `errors` are those of the kind. */
export const start = (errors: readonly ErrorCode[]) =>
  ({
    method: 'post',
    tag: 'Sessions',
    credential: 'apiKey',
    answers: {
      200: json(
        'A session with this `tag` was already running; the answer describes it.',
        'answers.json#/$defs/created',
        CREATED,
      ),
      201: json('The session was started.', 'answers.json#/$defs/created', CREATED),
    },
    errors: [...ERRORS, ...errors],
    audit: 'session.start',
  }) as const;

/** Answers a start. A session counts as claimed once the answer was sent; if the caller is gone, it ends. */
export function answerStart(
  { session, created }: { session: Session; created: boolean },
  { sessions, addresses }: Pick<OperationContext, 'sessions' | 'addresses'>,
  { request, response }: { request: Pick<Request, 'host' | 'protocol'>; response: Response },
): void {
  response.once('finish', () => sessions.claim(session));
  noteStart(response, session, created);
  response.status(created ? 201 : 200).json(addresses.of(session, request));
}
