import type { WebSocket } from 'ws';

/** What a viewer sends: a message, or a WebSocket ping. */
export interface Incoming {
  data: Buffer;
  /** A move is superseded by the next one of the same type. */
  type: 'text' | 'move' | 'binary' | 'ping';
}

/** Maximum number of messages that were read together with one after which the viewer must wait. */
const MAX_HELD = 1000;

/**
 * Takes what a viewer sends, as fast as it may send. Meanwhile its socket is not read, so that TCP slows it down; what
 * was read together with the last message is held, of moves in a row the newest.
 */
export class Intake {
  readonly #socket: WebSocket;
  readonly #handle: (incoming: Incoming) => number;
  readonly #flooded: () => void;
  #held: Incoming[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * `handle` handles a message and returns how long the viewer must wait before the next one, ms; `flooded` is called for
   * each message that is one too many to be held.
   */
  constructor(socket: WebSocket, handle: (incoming: Incoming) => number, flooded: () => void) {
    this.#socket = socket;
    this.#handle = handle;
    this.#flooded = flooded;
  }

  /** Whether the viewer must wait. */
  get isPaused(): boolean {
    return this.#timer !== undefined;
  }

  receive(incoming: Incoming): void {
    if (!this.isPaused) return this.wait(this.#handle(incoming));
    const newest = this.#held.at(-1);
    if (newest?.type === 'move' && incoming.type === 'move' && newest.data[0] === incoming.data[0]) {
      newest.data = incoming.data;
      return;
    }
    if (this.#held.length >= MAX_HELD) return this.#flooded();
    this.#held.push(incoming);
  }

  /** The viewer must wait so long, ms. */
  wait(ms: number): void {
    if (ms <= 0 || this.isPaused) return;
    this.#socket.pause();
    this.#timer = setTimeout(() => this.#resume(), ms).unref();
  }

  /** Takes nothing more; the closing handshake can be read. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#held = [];
    this.#socket.resume();
  }

  #resume(): void {
    this.#timer = undefined;
    const held = this.#held;
    let taken = 0;
    while (taken < held.length && !this.isPaused) {
      const incoming = held[taken++];
      if (incoming !== undefined) this.wait(this.#handle(incoming));
    }
    held.splice(0, taken);
    if (!this.isPaused) this.#socket.resume();
  }
}
