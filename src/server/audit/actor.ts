import { createHash } from 'node:crypto';

/** Who performed an action, identified by their credential. Contains nothing that can be used as a credential. */
export type Actor =
  /** An API key, by the first 8 hexadecimal digits of its SHA-256. */
  | { type: 'api_key'; key: string }
  /** One of a session's tokens. */
  | { type: 'admin_token' | 'embed_token' }
  /** A connected user, by its socket or that socket's ticket. */
  | { type: 'user'; user_id: string; admin: boolean; by: 'ticket' | 'socket' }
  /** The service itself, such as by a timeout. */
  | { type: 'service' }
  /** A credential that is invalid, or another session's. */
  | { type: 'unknown' }
  /** No credential was presented. */
  | { type: 'none' };

const actors = new WeakMap<object, Actor>();

/** Records who makes a request, as soon as that is known. */
export const nameActor = (request: object, actor: Actor): void => void actors.set(request, actor);

/** Who makes a request; undefined if unknown. */
export const actorOf = (request: object): Actor | undefined => actors.get(request);

/** Identifies an API key without revealing it. */
export const fingerprint = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 8);
