import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { CloseWarning } from '../../protocol/generated/schemas.js';
import type { EndReason, HubOptions, LinkTarget } from './types.js';

/** Every session's link and viewers. */
export class Hub {
  readonly #options: HubOptions;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /**
   * Opens the link to a session's agent, retrying while its container comes up, and sends the launch.
   * Resolves when the agent has answered; from then on the link is reopened by itself until `detach`.
   * Rejects when `signal` aborts or the agent refuses the secret; nothing is left open then.
   */
  attach(target: LinkTarget, signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error(`${target.sessionId} ${signal} ${typeof this.#options}`));
  }

  /** Tells the session's viewers that it has ended, closes their sockets and the link. Idempotent. */
  detach(sessionId: string, end: { reason: EndReason; message?: string }): Promise<void> {
    return Promise.reject(new Error(sessionId + end.reason));
  }

  /** Handles the upgrade request of a viewer: `/s/{session_id}/stream?token=`. Answers every other one with an error. */
  upgrade(_request: IncomingMessage, socket: Duplex, _head: Buffer): void {
    socket.destroy();
  }

  /** Shows viewers, and those who join later, when the session will end; without `timeout`, that it will not. */
  warn(_sessionId: string, _warning: CloseWarning): void {}

  /** Viewers that have joined the session through this service. */
  viewerCount(_sessionId: string): number {
    return 0;
  }

  /** Restarts the count of the inactive timeout at the agent. */
  touch(_sessionId: string): void {}

  /** Closes links and viewers (1012: they reconnect). Containers go on. */
  async stop(): Promise<void> {}
}
