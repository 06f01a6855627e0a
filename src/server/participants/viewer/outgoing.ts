import type { WebSocket } from 'ws';

/** What a message that waits in a socket costs besides its own bytes: buffers, a request to write, a callback. */
const OVERHEAD_BYTES = 512;

/** Messages that may wait. Media and cursors are limited by less. */
const MAX_WAITING = 4096;

/** Bytes that may wait, with what the messages cost besides. */
const LIMIT_BYTES = 8 << 20;

/** Answers to pings are left out where so many messages wait: flooding with pings costs no memory. */
const REPLY_MAX_WAITING = 256;

/** A socket that takes nothing for so long, although something waits, is given up, ms. */
const STALL_MS = 20_000;
const WATCH_INTERVAL_MS = 5000;

/** What goes to a viewer. Knows what waits because the viewer does not read, and gives up one that never does. */
export class Outgoing {
  readonly #socket: WebSocket;
  #waiting = 0;
  #movedAt = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    const watch = setInterval(() => this.#watch(), WATCH_INTERVAL_MS).unref();
    socket.on('close', () => clearInterval(watch));
  }

  /** Bytes that wait outside the kernel, with what their messages cost. */
  get bytes(): number {
    return this.#socket.bufferedAmount + this.#waiting * OVERHEAD_BYTES;
  }

  /** Sends a binary message, whatever waits: its kind must be limited by the caller. */
  send(message: Buffer): void {
    this.#count();
    this.#socket.send(message, this.#taken);
  }

  /** Sends a text that must not be left out; ends the connection of a viewer that has far too much waiting. */
  insist(text: Buffer): void {
    if (this.#waiting >= MAX_WAITING || this.bytes > LIMIT_BYTES) return this.#socket.terminate();
    this.#count();
    this.#socket.send(text, { binary: false }, this.#taken);
  }

  /** Sends the answer to a ping, unless others wait. */
  reply(message: Buffer): void {
    if (this.#waiting < REPLY_MAX_WAITING) this.send(message);
  }

  /** Answers a ping of WebSocket's own, unless others wait. */
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
