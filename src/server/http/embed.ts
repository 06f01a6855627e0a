import { Router, type Request } from 'express';
import { join } from 'node:path';
import { nameActor } from '../audit/index.js';
import type { Sessions } from '../sessions/index.js';
import { HttpError, isInForce, type Session, type Tokens } from '../model/index.js';
import type { SessionStore } from '../store/index.js';
import { crossOrigin } from './cross-origin.js';
import { find } from './sessions.js';

/** A session's own address: `GET /s/{id}` is the player page, `GET /s/{id}/status` its state. */
export function embed(sessions: Sessions, store: SessionStore, tokens: Tokens, webFolder: string): Router {
  const admit = async (request: Request<{ id: string }>): Promise<Session> => {
    const session = await find(store, request.params.id);
    const { token } = request.query;
    const claim = typeof token === 'string' ? tokens.check(session.id, token) : null;
    if (claim === null || !isInForce(claim, session.tokens)) throw new HttpError('invalid_token');
    nameActor(request, { type: claim.purpose === 'admin' ? 'admin_token' : 'embed_token' });
    if (session.state.name !== 'ended') {
      sessions.claim(session);
      return session;
    }
    const { reason, message } = session.state;
    throw new HttpError('session_ended', {
      message: `The session has ended (${reason}).${message === null ? '' : ` ${message}`}`,
      terminationReason: reason,
    });
  };
  const router = Router();
  router.use('/s/:id', crossOrigin);
  router.get('/s/:id', async (request, response) => {
    await admit(request);
    response
      .set('cache-control', 'no-store')
      .sendFile(join(webFolder, 'player.html'), { cacheControl: false });
  });
  router.get('/s/:id/status', async (request, response) => {
    const session = await admit(request);
    response.set('cache-control', 'no-store').json({ state: sessions.status(session) });
  });
  return router;
}
