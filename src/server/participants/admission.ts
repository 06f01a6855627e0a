import { HttpError } from '../http/errors.js';
import type { Credential, HubOptions } from './types.js';

/**
 * Lets a viewer that shows `token` connect, with what it showed. The store is asked only about tokens that are right.
 * @throws HttpError where it may not
 */
export async function admit(
  sessionId: string,
  token: string,
  { find, verify }: Pick<HubOptions, 'find' | 'verify'>,
): Promise<Credential> {
  const credential = verify(sessionId, token);
  if (credential === null) throw new HttpError('invalid_token');
  const status = await find(sessionId);
  if (status === 'unknown') throw new HttpError('session_not_found');
  if (status === 'ended') throw new HttpError('session_ended');
  return credential;
}
