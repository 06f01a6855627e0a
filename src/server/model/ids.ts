import { randomBytes } from 'node:crypto';

/** A new session ID: 128 random bits, 22 characters that never need escaping. */
export function newSessionId(): string {
  return randomBytes(16).toString('base64url');
}

/** Whether a text has the form of a session ID. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}
