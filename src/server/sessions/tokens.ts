import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token is good for: watching, administering, or talking to the session's agent. */
export type Purpose = 'embed' | 'admin' | 'link';

/** Derives the tokens of sessions from the service's secret, so that none is stored. */
export class Tokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The token of a session for a purpose, 43 characters. */
  of(sessionId: string, purpose: Purpose): string {
    return this.#digest(sessionId, purpose).toString('base64url');
  }

  /** Which token of the session this is; null where it is none. Takes the same time whatever is wrong. */
  verify(sessionId: string, token: string): 'embed' | 'admin' | null {
    const embed = equal(token, this.of(sessionId, 'embed'));
    const admin = equal(token, this.of(sessionId, 'admin'));
    if (admin) return 'admin';
    return embed ? 'embed' : null;
  }

  #digest(sessionId: string, purpose: Purpose): Buffer {
    return createHmac('sha256', this.#secret).update(`berth/${purpose}/${sessionId}`).digest();
  }
}

/** Compares secrets in constant time; only the length may show. */
export function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
