import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { fingerprint, nameActor } from '../../audit/index.js';
import { HttpError } from '../../model/index.js';

/** The credential of a request: `Authorization: Bearer X`, or a bare `X` as some clients send it. */
export function credentialOf(request: Pick<Request, 'get'>): string | null {
  const header = request.get('authorization')?.trim();
  if (!header) return null;
  return /^bearer\s+(\S+)$/i.exec(header)?.[1] ?? (/^\S+$/.test(header) ? header : null);
}

/** Checks API keys. Every key is compared, so that timing reveals nothing. */
export class ApiKeys {
  readonly #keys: readonly { digest: Buffer; fingerprint: string }[];
  /** Requests already authenticated, so that a key is hashed once however often it is checked. */
  readonly #admitted = new WeakSet<object>();

  constructor(keys: readonly string[]) {
    this.#keys = keys.map(key => ({ digest: digest(key), fingerprint: fingerprint(key) }));
  }

  /** The fingerprint of a valid key; null of any other text. */
  identify(key: string): string | null {
    const candidate = digest(key);
    let found: string | null = null;
    for (const { digest: each, fingerprint: name } of this.#keys) if (timingSafeEqual(each, candidate)) found = name;
    return found;
  }

  /** @throws HttpError if a request lacks a valid API key */
  require(request: Pick<Request, 'get'>): void {
    if (this.#admitted.has(request)) return;
    const credential = credentialOf(request);
    const key = credential === null ? null : this.identify(credential);
    if (key === null) throw new HttpError('unauthorized');
    nameActor(request, { type: 'api_key', key });
    this.#admitted.add(request);
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
