import { Router, type Request, type RequestHandler } from 'express';
import { join } from 'node:path';
import type { Sessions } from '../sessions/index.js';
import type { Session } from '../sessions/session.js';
import type { Tokens } from '../sessions/tokens.js';
import type { SessionStore } from '../store/sessions.js';
import { HttpError } from './errors.js';
import { find } from './sessions.js';

/** Anybody's page may ask; what it gets depends on the token alone. */
const crossOrigin: RequestHandler = (request, response, next) => {
  response.set({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
  if (request.method !== 'OPTIONS') return next();
  response.set({
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  });
  response.status(204).end();
};

/** A session's own address: `GET /s/{id}` is the player page, `GET /s/{id}/status` its state. */
export function embed(sessions: Sessions, store: SessionStore, tokens: Tokens, webFolder: string): Router {
  const admit = async (request: Request<{ id: string }>): Promise<Session> => {
    const session = await find(store, request.params.id);
    const { token } = request.query;
    if (typeof token !== 'string' || tokens.verify(session.id, token) === null) throw new HttpError('invalid_token');
    if (session.state.name !== 'ended') return session;
    const { reason, message } = session.state;
    throw new HttpError('session_ended', { message: `The session has ended (${reason}).${message === null ? '' : ` ${message}`}` });
  };
  const router = Router();
  router.use('/s/:id', crossOrigin);
  router.get('/s/:id', async (request, response) => {
    await admit(request);
    response.set('cache-control', 'no-store').sendFile(join(webFolder, 'player.html'), { cacheControl: false });
  });
  router.get('/s/:id/status', async (request, response) => {
    const session = await admit(request);
    response.set('cache-control', 'no-store').json({ state: sessions.status(session) });
  });
  return router;
}

/** The player's and the SDK's files, for pages of any origin. */
export const assetsCrossOrigin = crossOrigin;
