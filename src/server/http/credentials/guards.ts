import type { Request } from 'express';
import type { Session } from '../../model/index.js';
import type { Parts } from '../parts.js';
import { adminGuard } from './admin.js';
import type { ApiKeys } from './api-keys.js';
import type { Credential, ViewerNeed } from './credential.js';
import { embedGuard } from './embed.js';
import { viewerGuard } from './viewer.js';

/** The part of a request that guards use. */
export type GuardedRequest = Pick<Request, 'get' | 'query'>;

/**
 * Admits a request about the session with this ID if its credential is valid for it, and records the caller for the
 * audit log. Resolves with the live session.
 * @throws HttpError
 */
export type SessionGuard = (request: GuardedRequest, sessionId: string, need?: ViewerNeed) => Promise<Session>;

/** The same for requests about any session, or none. */
export type Guard = (request: GuardedRequest, sessionId: string, need?: ViewerNeed) => Promise<Session | null>;

/** The guard of each credential. */
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
