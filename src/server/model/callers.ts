import { addressKey } from '../lib/address-key.js';
import { HttpError } from './errors.js';

const WINDOW_MS = 60_000;

/** Failed authentications of one address per minute that are answered as such. */
const MAX_FAILURES = 60;

/** Counts what addresses do in windows of one minute. */
class AddressCount {
  readonly #counts = new Map<string, number>();
  #endsAt = 0;

  constructor(readonly limit: number) {}

  /** Counts one; returns the seconds to wait if the address is over the limit, else null. */
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

/** Throttles addresses that connect too often, or that repeatedly present wrong credentials. */
export class Callers {
  readonly #upgrades: AddressCount | null;
  readonly #failures = new AddressCount(MAX_FAILURES);

  /** `rateLimit`: WebSocket requests per address and minute; 0: unlimited. */
  constructor(rateLimit: number) {
    this.#upgrades = rateLimit === 0 ? null : new AddressCount(rateLimit);
  }

  /** Counts a WebSocket request. @throws HttpError if there were too many */
  upgrading(ip: string): void {
    const retryAfter = this.#upgrades?.hit(ip) ?? null;
    if (retryAfter !== null) throw new HttpError('rate_limited', { retryAfter });
  }

  /**
   * The error an address gets. Failed authentications are counted; above the limit they are no longer answered as such.
   * Valid credentials from the same address keep working, since others may share it.
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
