import type { WebSocket } from 'ws';

/** Overhead of a queued message besides its own bytes: buffers, a write request, a callback. */
const OVERHEAD_BYTES = 512;

/** Maximum number of queued messages. Media and cursors have lower limits. */
const MAX_WAITING = 4096;

/** Maximum of queued bytes, including overhead. */
const LIMIT_BYTES = 8 << 20;

/** Pongs are dropped when this many messages are queued, so that flooding with pings costs no memory. */
const REPLY_MAX_WAITING = 256;

/** A socket that makes no progress for this long with data queued is closed, ms. */
const STALL_MS = 20_000;
const WATCH_INTERVAL_MS = 5000;

/** Outgoing messages of a viewer. Tracks the backlog, and closes a connection whose viewer stops reading. */
export class Outgoing {
  readonly #socket: WebSocket;
  #waiting = 0;
  #movedAt = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    const watch = setInterval(() => this.#watch(), WATCH_INTERVAL_MS).unref();
    socket.on('close', () => clearInterval(watch));
  }

  /** Bytes queued in user space, including overhead. */
  get bytes(): number {
    return this.#socket.bufferedAmount + this.#waiting * OVERHEAD_BYTES;
  }

  /** Sends a binary message regardless of the backlog: the caller must limit its kind. */
  send(message: Uint8Array): void {
    this.#count();
    this.#socket.send(message, this.#taken);
  }

  /** Sends a text message that must not be dropped; closes the connection if the backlog is far too large. */
  tell(text: Buffer): void {
    if (this.#waiting >= MAX_WAITING || this.bytes > LIMIT_BYTES) return this.#socket.terminate();
    this.#count();
    this.#socket.send(text, { binary: false }, this.#taken);
  }

  /** Sends the answer to a ping, unless the queue is long. */
  reply(message: Uint8Array): void {
    if (this.#waiting < REPLY_MAX_WAITING) this.send(message);
  }

  /** Answers a WebSocket ping, unless the queue is long. */
  pong(payload: Buffer): void {
    if (this.#waiting >= REPLY_MAX_WAITING) return;
    this.#count();
    this.#socket.pong(payload, false, this.#taken);
  }

  #count(): void {
    if (this.#waiting++ === 0) this.#movedAt = performance.now();
  }

  readonly #taken = (): void => {
    this.#waiting--;
    this.#movedAt = performance.now();
  };

  #watch(): void {
    if (this.#waiting > 0 && performance.now() - this.#movedAt > STALL_MS) this.#socket.terminate();
  }
}
