import type { Request } from 'express';
import { HttpError, type Session, type Tokens } from '../model/index.js';

/** Makes the addresses and tokens that clients receive. */
export class Addresses {
  readonly #publicUrl: string | null;
  readonly #tokens: Tokens;
  /** The origin that was checked last, as it was sent and as it is written. */
  #checked = { sent: '', written: '' };

  constructor(publicUrl: string | null, tokens: Tokens) {
    this.#publicUrl = publicUrl;
    this.#tokens = tokens;
  }

  /** The ID, address and token that a client needs to use a session. */
  of(
    session: Pick<Session, 'id' | 'tokens'>,
    request: Pick<Request, 'host' | 'protocol'>,
  ): { session_id: string; embed_url: string; admin_token: string } {
    const token = this.#tokens.of(session, 'embed');
    return {
      session_id: session.id,
      embed_url: `${this.#origin(request)}/s/${session.id}?token=${token}`,
      admin_token: this.#tokens.of(session, 'admin'),
    };
  }

  /** The configured origin, or the one that the caller used. */
  #origin(request: Pick<Request, 'host' | 'protocol'>): string {
    if (this.#publicUrl !== null) return this.#publicUrl;
    const host = request.host ?? '';
    const origin = `${request.protocol}://${host}`;
    if (origin !== this.#checked.sent) {
      if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(origin))
        throw new HttpError('bad_request', { message: 'The Host header is not valid.' });
      this.#checked = { sent: origin, written: new URL(origin).origin };
    }
    return this.#checked.written;
  }
}
