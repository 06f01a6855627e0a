import type { Duplex } from 'node:stream';

/** Counts connections per key. */
export class ConnectionLimit {
  readonly #counts = new Map<string, number>();

  /** `limit` per key; 0: unlimited. */
  constructor(readonly limit: number) {}

  /** Counts a connection until it closes; false if the limit is reached. */
  take(key: string, connection: Duplex): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (this.limit > 0 && count >= this.limit) return false;
    if (connection.destroyed) return true;
    this.#counts.set(key, count + 1);
    connection.once('close', () => this.#free(key));
    return true;
  }

  #free(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
