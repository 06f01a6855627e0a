import type { Request } from 'express';
import type { Session } from '../../model/index.js';
import type { Parts } from '../parts.js';
import { adminGuard } from './admin.js';
import type { ApiKeys } from './api-keys.js';
import type { Credential, ViewerNeed } from './credential.js';
import { embedGuard } from './embed.js';
import { viewerGuard } from './viewer.js';

/** What guards look at of a request. */
export type GuardedRequest = Pick<Request, 'get' | 'query'>;

/**
 * Lets a request about the session with this ID pass where its credential is good for that, and notes whose it is for
 * the audit log. Resolves with the live session.
 * @throws HttpError
 */
export type SessionGuard = (request: GuardedRequest, sessionId: string, need?: ViewerNeed) => Promise<Session>;

/** The same for requests about any session, or none. */
export type Guard = (request: GuardedRequest, sessionId: string, need?: ViewerNeed) => Promise<Session | null>;

/** How each credential is checked. */
export function makeGuards(
  parts: Pick<Parts, 'sessions' | 'store' | 'tokens'>,
  apiKeys: ApiKeys,
): Record<Credential, Guard> {
  const admin = adminGuard(parts, apiKeys);
  return {
    none: async () => null,
    apiKey: async request => (apiKeys.require(request), null),
    embedToken: embedGuard(parts),
    admin,
    viewer: viewerGuard(parts, admin),
  };
}
