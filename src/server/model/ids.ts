import { randomBytes } from 'node:crypto';

/**
 * A new session ID: 128 random bits, 22 characters that never need escaping. It starts and ends with a letter or a
 * digit, as values of Kubernetes labels must (the last character carries two bits only, and always does).
 */
export function newSessionId(): string {
  for (;;) {
    const id = randomBytes(16).toString('base64url');
    if (/^[A-Za-z0-9]/.test(id)) return id;
  }
}

/** Whether a text has the form of a session ID. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}
