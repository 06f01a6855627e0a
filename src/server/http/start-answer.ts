import type { Request, Response } from 'express';
import type { Sessions } from '../sessions/index.js';
import type { Session } from '../model/index.js';
import type { Addresses } from './addresses.js';
import { noteStart } from './audit.js';

/** Answers a start. A session counts as known once the answer has gone out; it ends where its caller was gone. */
export function answerStart(
  request: Request,
  response: Response,
  { session, created }: { session: Session; created: boolean },
  { sessions, addresses }: { sessions: Sessions; addresses: Addresses },
): void {
  response.once('finish', () => sessions.claim(session));
  noteStart(response, session, created);
  response.status(created ? 201 : 200).json(addresses.of(session, request));
}
