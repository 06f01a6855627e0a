import { HttpError, type TokenClaim } from '../../model/index.js';
import type { HubOptions } from '../types.js';

/**
 * Lets a viewer that shows `token` connect, with what that claims; whether it is in force is for the session to tell.
 * The store is asked only about tokens that the service has made.
 * @throws HttpError where it may not
 */
export async function admit(
  sessionId: string,
  token: string,
  { find, verify }: Pick<HubOptions, 'find' | 'verify'>,
): Promise<TokenClaim> {
  const claim = verify(sessionId, token);
  if (claim === null) throw new HttpError('invalid_token');
  const status = await find(sessionId);
  if (status === 'unknown') throw new HttpError('session_not_found');
  if (status === 'ended') throw new HttpError('session_ended');
  return claim;
}
