import type { Express } from 'express';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { publicPathOf, redirectPublicPath, stripPublicPath } from './public-path.js';
import { RECEIVE_LIMITS, endSlowBody, type ReceiveLimits } from './slow-bodies.js';

/** Takes over a connection that requests a WebSocket upgrade. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface Listening {
  /** Stops accepting connections; resolves when pending requests are answered, at most after `ms` milliseconds. */
  stop(ms: number): Promise<void>;
}

/** Listens, also below the path of the public address. @throws if the address is in use or does not belong to this machine */
export async function listen(
  app: Express,
  upgrade: UpgradeHandler,
  address: { host: string; port: number; publicUrl?: string | null },
  limits: ReceiveLimits = RECEIVE_LIMITS,
): Promise<Listening> {
  const path = publicPathOf(address.publicUrl ?? null);
  const server = createServer(
    // How long a body may take depends on its size, which a timeout for the whole request cannot express.
    {
      keepAliveTimeout: 65_000,
      requestTimeout: 0,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (request, response) => {
      endSlowBody(request, response, limits);
      if (redirectPublicPath(request, response, path)) return;
      stripPublicPath(request, path);
      app(request, response);
    },
  );
  server.on('upgrade', (request, socket, head) => {
    // A connection reset before another listener exists must not crash the process.
    socket.on('error', () => socket.destroy());
    stripPublicPath(request, path);
    upgrade(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { stop: ms => stop(server, ms) };
}

function stop(server: Server, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      // WebSockets no longer belong to the server; their owner has been asked to close them.
      resolve();
    }, ms);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
