import type { Credential, HubOptions } from './types.js';

/** Why a viewer is not let in, as the REST interface would answer it. */
export interface Refusal {
  status: 400 | 401 | 404 | 409 | 429 | 503;
  code: string;
  message: string;
}

export type Admission = { type: 'admitted'; credential: Credential } | { type: 'refused'; refusal: Refusal };

export const refusals = {
  notAStream: { status: 404, code: 'not_found', message: 'There is no stream at this address.' },
  unknown: { status: 404, code: 'session_not_found', message: 'There is no such session.' },
  unauthorized: { status: 401, code: 'unauthorized', message: 'The token is missing or wrong.' },
  ended: { status: 409, code: 'session_ended', message: 'The session has ended.' },
  full: { status: 429, code: 'too_many_viewers', message: 'The session has as many viewers as it can take.' },
  unavailable: { status: 503, code: 'session_unavailable', message: 'The session cannot be reached; try again.' },
} as const satisfies Record<string, Refusal>;

const refused = (refusal: Refusal): Admission => ({ type: 'refused', refusal });

/** Whether a viewer that shows `token` may connect. */
export async function admit(
  sessionId: string,
  token: string,
  { find, verify }: Pick<HubOptions, 'find' | 'verify'>,
): Promise<Admission> {
  const status = await find(sessionId);
  if (status === 'unknown') return refused(refusals.unknown);
  const credential = verify(sessionId, token);
  if (credential === null) return refused(refusals.unauthorized);
  return status === 'ended' ? refused(refusals.ended) : { type: 'admitted', credential };
}
