import { Router } from 'express';
import type { Sessions } from '../../sessions/index.js';
import { sessionCalls } from './calls.js';
import type { SessionGuard } from './guard.js';
import { sessionUsers } from './users.js';

/** What a session's own address answers to holders of its admin token or an API key. */
export function sessionAddress({ hub }: Sessions, guard: SessionGuard): Router {
  return Router().use(sessionUsers(hub, guard), sessionCalls(hub, guard));
}
