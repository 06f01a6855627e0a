import { Router } from 'express';
import { findCall } from '../../participants/calls/index.js';
import type { Hub } from '../../participants/index.js';
import { readJson } from '../body.js';
import type { SessionGuard } from './guard.js';

/** `POST /s/{id}/<call>`, such as `tabs.update`: the body holds the arguments, the answer is the call's value. */
export function sessionCalls(hub: Hub, guard: SessionGuard): Router {
  const router = Router();
  router.post('/s/:id/:call', async (request, _response, next) => {
    const { call } = request.params;
    if (findCall(call) === undefined) return next('router');
    await guard(request);
    next();
  });
  router.post('/s/:id/:call', ...readJson(() => []), async (request, response) => {
    const { id, call } = request.params as { id: string; call: string };
    response.set('cache-control', 'no-store').json((await hub.perform(id, call, request.body)) ?? null);
  });
  return router;
}
