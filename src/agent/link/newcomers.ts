import type { Socket } from 'node:net';

/** How long a connection may take to prove that it is the service's, milliseconds. */
const PROVE_TIMEOUT = 2000;

/** Connections without a proof from one address, and in all. */
const PER_ADDRESS_MAX = 128;
const MAX = 256;

/**
 * Connections that have not proven to be the service's. They are closed after two seconds, whatever they send
 * meanwhile. Where there are too many, the oldest gives way, so that however many somebody else opens, also from the
 * service's address, the newest one has time to prove itself.
 */
export class Newcomers {
  /** The oldest come first. */
  readonly #waiting = new Map<Socket, { readonly address: string; readonly timer: NodeJS.Timeout }>();
  readonly #perAddress = new Map<string, number>();

  /** Takes a connection that was just made. */
  add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    if ((this.#perAddress.get(address) ?? 0) >= PER_ADDRESS_MAX) this.#dropOldestOf(address);
    else if (this.#waiting.size >= MAX) this.#dropOldestOf(this.#busiest());
    // What has arrived while this process was busy is read first.
    const timer = setTimeout(() => setImmediate(() => this.#drop(socket)), PROVE_TIMEOUT).unref();
    this.#waiting.set(socket, { address, timer });
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1);
    socket.once('close', () => this.admit(socket));
  }

  /** The connection has proven to be the service's, or belongs to an endpoint with limits of its own. */
  admit(socket: Socket): void {
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) return;
    const { address, timer } = waiting;
    clearTimeout(timer);
    this.#waiting.delete(socket);
    const left = (this.#perAddress.get(address) ?? 0) - 1;
    if (left > 0) this.#perAddress.set(address, left);
    else this.#perAddress.delete(address);
  }

  /** Closes all of them. */
  close(): void {
    for (const socket of [...this.#waiting.keys()]) this.#drop(socket);
  }

  #drop(socket: Socket): void {
    if (!this.#waiting.has(socket)) return;
    this.admit(socket);
    socket.destroy();
  }

  #dropOldestOf(wanted: string): void {
    for (const [socket, { address }] of this.#waiting) if (address === wanted) return this.#drop(socket);
  }

  #busiest(): string {
    const [[busiest] = ['']] = [...this.#perAddress].sort(([, a], [, b]) => b - a);
    return busiest;
  }
}
