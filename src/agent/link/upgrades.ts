import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';

/** A WebSocket endpoint of the agent besides the link, with its own access check. */
export interface Upgrade {
  readonly path: string;
  /** Whether a request may be upgraded. */
  admits(request: IncomingMessage): boolean;
  /** Takes a socket; it is the endpoint's business to limit how many there are, and how long they may be silent. */
  open(socket: WebSocket): void;
}
