import { Router, type Request } from 'express';
import type { TimeoutChange } from '../../../protocol/generated/schemas.js';
import type { Sessions } from '../../sessions/index.js';
import { HttpError, timeoutsInForce } from '../../model/index.js';
import { note } from '../audit.js';
import { jsonBody } from '../body.js';
import { requestValidator } from '../validate.js';
import type { SessionGuard } from './guard.js';

const validate = requestValidator<TimeoutChange>('session-calls.json#/$defs/timeout', 'invalid_body');

/** `POST /s/{id}/timeout` changes timeouts and restarts their counters, `POST /s/{id}/ping` that of inactivity alone. */
export function sessionTimeout(sessions: Sessions, guard: SessionGuard): Router {
  const router = Router();
  router.post('/s/:id/timeout', guard.required, ...jsonBody, async (request: Request<{ id: string }>, response) => {
    const session = await sessions.changeTimeouts(request.params.id, validate(request, request.body));
    if (session === null) throw new HttpError('agent_lost');
    const timeouts = timeoutsInForce(session.timeouts);
    note(response, { timeouts });
    response.json(timeouts);
  });
  router.post('/s/:id/ping', guard.required, (request, response) => {
    sessions.touch(request.params.id);
    response.json({});
  });
  return router;
}
