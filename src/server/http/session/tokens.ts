import { Router, type Request } from 'express';
import type { SessionCreated, TokensRenewal } from '../../../protocol/generated/schemas.js';
import type { Sessions } from '../../sessions/index.js';
import type { Addresses } from '../addresses.js';
import { jsonBody } from '../body.js';
import { HttpError } from '../../model/index.js';
import { requestValidator } from '../validate.js';
import type { SessionGuard } from './guard.js';

const PURPOSES = ['embed', 'admin'] as const;

/** Both where the body names none, else those that it wants. */
const wanted = (body: TokensRenewal) => {
  const isNamed = PURPOSES.some(purpose => body[purpose] !== undefined);
  return PURPOSES.filter(purpose => (isNamed ? body[purpose] === true : true));
};

const validate = requestValidator<TokensRenewal>('session-calls.json#/$defs/tokens', 'invalid_body', body =>
  wanted(body).length > 0 ? [] : [{ path: '/embed', message: 'or /admin must be true; without both, both tokens are renewed' }],
);

/** `POST /s/{id}/tokens`: other tokens take the place of the session's, which are good for nothing any more. */
export function sessionTokens(sessions: Sessions, guard: SessionGuard, addresses: Addresses): Router {
  const router = Router();
  router.post('/s/:id/tokens', guard.required, ...jsonBody, async (request: Request<{ id: string }>, response) => {
    const body = validate(request, request.body);
    const renewal = { purposes: wanted(body), keepViewers: body.keep_viewers ?? false };
    const session = await sessions.renewTokens(request.params.id, renewal);
    if (session === null) throw new HttpError('agent_lost');
    const answer: SessionCreated = addresses.of(session, request);
    response.set('cache-control', 'no-store').json(answer);
  });
  return router;
}
