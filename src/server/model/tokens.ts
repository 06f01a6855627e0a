import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Keyring, Secret } from '../secrets/index.js';
import type { Purpose, Session, SessionTokens, TokenSource } from './session.js';

/** The claims of a token that this service has made. The session decides whether it is in force. */
export interface TokenClaim extends TokenSource {
  readonly purpose: 'embed' | 'admin';
}

/** Derives sessions' tokens from the service's secrets, so that none is stored. */
export class Tokens {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** The tokens of a new session. */
  get fresh(): SessionTokens {
    const source = { generation: 0, secret: this.#keyring.newest.id };
    return { embed: source, admin: source, link: source };
  }

  /** The tokens after those of these purposes were renewed. */
  renewed(tokens: SessionTokens, purposes: readonly ('embed' | 'admin')[]): SessionTokens {
    const secret = this.#keyring.newest.id;
    const renewal = purposes.map(purpose => [purpose, { generation: tokens[purpose].generation + 1, secret }]);
    return { ...tokens, ...(Object.fromEntries(renewal) as Partial<SessionTokens>) };
  }

  /**
   * A session's token for a purpose: 43 characters; once renewed, prefixed with its generation number and a dot. If its
   * secret was removed from the configuration, the token is not one in force.
   */
  of({ id, tokens }: Pick<Session, 'id' | 'tokens'>, purpose: Purpose): string {
    const { generation, secret } = tokens[purpose];
    return token(this.#keyring.find(secret) ?? this.#keyring.newest, id, purpose, generation);
  }

  /**
   * The claims of a token made for this session, whether or not it is in force; null if it was not made for it.
   * Accesses no store, and runs in constant time.
   */
  check(sessionId: string, candidate: string): TokenClaim | null {
    const generation = Number(/^([1-9]\d{0,8})\./.exec(candidate)?.[1] ?? 0);
    let claim: TokenClaim | null = null;
    for (const secret of this.#keyring.secrets) {
      for (const purpose of ['embed', 'admin'] as const) {
        const isIt = equal(candidate, token(secret, sessionId, purpose, generation));
        if (isIt) claim = { purpose, generation, secret: secret.id };
      }
    }
    return claim;
  }
}

/** Whether a token is in force. */
export function isInForce({ purpose, generation, secret }: TokenClaim, tokens: SessionTokens): boolean {
  return tokens[purpose].generation === generation && tokens[purpose].secret === secret;
}

function token({ value }: Secret, sessionId: string, purpose: Purpose, generation: number): string {
  // Generation 0 has the format from before tokens could be renewed.
  const [prefix, suffix] = generation === 0 ? ['', ''] : [`${generation}.`, `/${generation}`];
  return prefix + createHmac('sha256', value).update(`berth/${purpose}/${sessionId}${suffix}`).digest('base64url');
}

/** Compares secrets in constant time; only the length may leak. */
export function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
