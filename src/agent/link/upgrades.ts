import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

/** A WebSocket endpoint of the agent besides the link, which checks by itself who may use it. */
export interface Upgrade {
  readonly path: string;
  /** Whether a request may become a socket at all. */
  admits(request: IncomingMessage): boolean;
  open(socket: WebSocket): void;
}
