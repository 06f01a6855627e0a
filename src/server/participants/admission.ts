import { HttpError } from '../http/errors.js';
import type { Credential, HubOptions } from './types.js';

/** Lets a viewer that shows `token` connect, with what it showed. Throws an HttpError where it may not. */
export async function admit(
  sessionId: string,
  token: string,
  { find, verify }: Pick<HubOptions, 'find' | 'verify'>,
): Promise<Credential> {
  const status = await find(sessionId);
  if (status === 'unknown') throw new HttpError('session_not_found');
  const credential = verify(sessionId, token);
  if (credential === null) throw new HttpError('invalid_token');
  if (status === 'ended') throw new HttpError('session_ended');
  return credential;
}
