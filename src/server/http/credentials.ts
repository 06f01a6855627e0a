import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { fingerprint, nameActor } from '../audit/index.js';
import { HttpError } from '../model/index.js';

/** The credential of a request: `Authorization: Bearer X`, or the bare `X` as some clients send it. */
export function credentialOf(request: Pick<Request, 'get'>): string | null {
  const header = request.get('authorization')?.trim();
  if (!header) return null;
  return /^bearer\s+(\S+)$/i.exec(header)?.[1] ?? (/^\S+$/.test(header) ? header : null);
}

/** Checks API keys. All keys are compared whichever fits, so that time tells nothing. */
export class ApiKeys {
  readonly #digests: readonly Buffer[];

  constructor(keys: readonly string[]) {
    this.#digests = keys.map(digest);
  }

  accepts(key: string): boolean {
    const candidate = digest(key);
    return this.#digests.reduce((found, each) => timingSafeEqual(each, candidate) || found, false);
  }

  /** Lets only requests with an API key pass. */
  get required(): RequestHandler {
    return (request, _response, next) => {
      const key = credentialOf(request);
      if (key === null || !this.accepts(key)) throw new HttpError('unauthorized');
      nameActor(request, { type: 'api_key', key: fingerprint(key) });
      next();
    };
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
