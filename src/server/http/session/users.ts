import { Router } from 'express';
import type { SessionUsers } from '../../../protocol/generated/schemas.js';
import type { Hub } from '../../participants/index.js';
import type { SessionGuard } from './guard.js';

/** `GET /s/{id}/users`: who is connected. `DELETE /s/{id}/users/{user_id}` disconnects one. */
export function sessionUsers(hub: Hub, guard: SessionGuard): Router {
  const router = Router();
  router.get('/s/:id/users', guard.required, (request, response) => {
    const users: SessionUsers = hub.users(request.params.id).list();
    response.set('cache-control', 'no-store').json(users);
  });
  router.delete('/s/:id/users/:user', guard.required, (request, response) => {
    hub.users(request.params.id).kick(request.params.user);
    response.json({});
  });
  return router;
}
