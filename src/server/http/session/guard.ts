import type { NextFunction, Request, Response } from 'express';
import { fingerprint, nameActor } from '../../audit/index.js';
import type { Sessions } from '../../sessions/index.js';
import { HttpError, isInForce, type Session, type Tokens } from '../../model/index.js';
import type { SessionStore } from '../../store/index.js';
import { credentialOf, type ApiKeys } from '../credentials.js';
import { find } from '../sessions.js';

/** Lets requests about a live session pass whose credential may administer it: its admin token, or an API key. */
export class SessionGuard {
  readonly #store: SessionStore;
  readonly #tokens: Tokens;
  readonly #apiKeys: ApiKeys;
  readonly #sessions: Pick<Sessions, 'claim'>;

  constructor(sessions: Pick<Sessions, 'claim'>, store: SessionStore, tokens: Tokens, apiKeys: ApiKeys) {
    this.#sessions = sessions;
    this.#store = store;
    this.#tokens = tokens;
    this.#apiKeys = apiKeys;
  }

  /** For routes with `:id` in their path. */
  readonly required = async <P extends { id: string }>(
    request: Request<P>,
    _response: Response,
    next: NextFunction,
  ): Promise<void> => {
    await this.admit(request, request.params.id);
    next();
  };

  /** @throws HttpError where the credential is none for this session, or there is no such live session */
  async admit(request: Pick<Request, 'get'>, sessionId: string): Promise<Session> {
    const credential = credentialOf(request);
    if (credential === null) throw new HttpError('unauthorized');
    const isKey = this.#apiKeys.accepts(credential);
    if (isKey) nameActor(request, { type: 'api_key', key: fingerprint(credential) });
    const session = await find(this.#store, sessionId);
    const claim = this.#tokens.check(session.id, credential);
    if (!isKey && (claim === null || !isInForce(claim, session.tokens))) throw new HttpError('unauthorized');
    if (!isKey) nameActor(request, { type: claim?.purpose === 'admin' ? 'admin_token' : 'embed_token' });
    if (!isKey && claim?.purpose !== 'admin') throw new HttpError('admin_required');
    if (session.state.name === 'ended') throw new HttpError('session_ended');
    this.#sessions.claim(session);
    return session;
  }
}
