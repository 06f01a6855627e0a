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
  readonly #digests: readonly Buffer[];
  /** Requests already authenticated, so that a key is hashed once however often it is checked. */
  readonly #admitted = new WeakSet<object>();

  constructor(keys: readonly string[]) {
    this.#digests = keys.map(digest);
  }

  accepts(key: string): boolean {
    const candidate = digest(key);
    return this.#digests.reduce((found, each) => timingSafeEqual(each, candidate) || found, false);
  }

  /** @throws HttpError if a request lacks a valid API key */
  require(request: Pick<Request, 'get'>): void {
    if (this.#admitted.has(request)) return;
    const key = credentialOf(request);
    if (key === null || !this.accepts(key)) throw new HttpError('unauthorized');
    nameActor(request, { type: 'api_key', key: fingerprint(key) });
    this.#admitted.add(request);
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
