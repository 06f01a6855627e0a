import { randomBytes } from 'node:crypto';

/** A new session ID: 128 random bits, 22 characters that need no escaping anywhere. */
export function newSessionId(): string {
  return randomBytes(16).toString('base64url');
}

/** Whether a text can be a session ID at all. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}
