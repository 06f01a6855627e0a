import { addressKey } from '../lib/address-key.js';
import { HttpError } from './http-error.js';

const WINDOW_MS = 60_000;

/** Wrong credentials of one address that are answered as such, a minute. */
const MAX_FAILURES = 60;

/** Counts what addresses do in windows of a minute. */
class AddressCount {
  readonly #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(readonly limit: number) {}

  /** Counts one; the seconds until the address may go on where it is over the limit, else null. */
  hit(ip: string): number | null {
    const now = performance.now();
    if (now >= this.#endsAt) {
      this.#counts.clear();
      this.#endsAt = now + WINDOW_MS;
    }
    const key = addressKey(ip);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.limit ? null : Math.ceil((this.#endsAt - now) / 1000);
  }
}

/** Slows down addresses that connect too often, or that show wrong credentials again and again. */
export class Callers {
  readonly #upgrades: AddressCount | null;
  readonly #failures = new AddressCount(MAX_FAILURES);

  /** `rateLimit`: WebSockets that an address may ask for in a minute; 0: any number. */
  constructor(rateLimit: number) {
    this.#upgrades = rateLimit === 0 ? null : new AddressCount(rateLimit);
  }

  /** Counts a request for a WebSocket. @throws HttpError where there were too many */
  upgrading(ip: string): void {
    const retryAfter = this.#upgrades?.hit(ip) ?? null;
    if (retryAfter !== null) throw new HttpError('rate_limited', { retryAfter });
  }

  /**
   * What an address is answered. Credentials that are wrong are counted, and too many are not answered as such any
   * more. Right ones of the same address go on working: others may share it.
   */
  answering(ip: string, error: HttpError): HttpError {
    if (error.status !== 401) return error;
    const retryAfter = this.#failures.hit(ip);
    if (retryAfter === null) return error;
    return new HttpError('rate_limited', {
      message: 'Too many wrong credentials; wait as long as Retry-After says.',
      retryAfter,
    });
  }
}
