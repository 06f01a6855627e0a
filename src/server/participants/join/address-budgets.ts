import type { Duplex } from 'node:stream';
import type { TokenBucket } from '../../lib/token-bucket.js';
import { sharedBudget } from '../viewer/allowance.js';

/** A budget that nobody uses is kept until it would be full again, so that a new connection does not refill it, ms. */
const KEPT_MS = 2000;

/** The budgets that viewers of the same address share. */
export class AddressBudgets {
  readonly #budgets = new Map<string, { budget: TokenBucket; users: number }>();

  /** The budget of an address, in use until the connection closes. */
  of(key: string, connection: Duplex): TokenBucket {
    let entry = this.#budgets.get(key);
    if (entry === undefined) this.#budgets.set(key, (entry = { budget: sharedBudget(), users: 0 }));
    const used = entry;
    used.users++;
    const released = () => {
      if (--used.users > 0) return;
      setTimeout(
        () => used.users === 0 && this.#budgets.get(key) === used && this.#budgets.delete(key),
        KEPT_MS,
      ).unref();
    };
    if (connection.destroyed) released();
    else connection.once('close', released);
    return used.budget;
  }
}
