import type { WebSocket } from 'ws';
import type { FromAgent, Presence } from '../../protocol/generated/schemas.js';
import { BACKLOG_DEAD_BYTES, VideoGate } from './video-gate.js';
import { NO_MEDIA, type MediaSubscription } from './media-subscription.js';

/** The connection of one replica of the service. */
export class Link {
  readonly #socket: WebSocket;
  readonly #gate = new VideoGate();
  subscription: MediaSubscription = NO_MEDIA;
  viewers: Presence['viewers'] = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Sends `user u32, message`; returns true if it was dropped and the link needs a key frame to continue. */
  send(body: Uint8Array): boolean {
    const backlog = this.#socket.bufferedAmount;
    if (backlog > BACKLOG_DEAD_BYTES) {
      this.#socket.terminate();
      return false;
    }
    const offer = this.#gate.offer(body, backlog);
    if (offer === 'send') this.#socket.send(body, { binary: true, compress: false });
    return offer === 'drop and ask for a key frame';
  }

  tell(message: FromAgent): void {
    this.#socket.send(JSON.stringify(message));
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }
}
