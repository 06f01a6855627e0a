import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { NO_PAGE_PATH } from '../../protocol/extension.js';
import { LINK_PATH } from '../../protocol/message-type.js';
import type { Fields, Log } from '../lib/log.js';
import { throttledWarning } from '../lib/throttled-warning.js';
import type { Authorization } from './authorization.js';
import { Link } from './link.js';
import { Newcomers } from './newcomers.js';
import { serve, type Route } from './routes.js';
import type { Upgrade } from './upgrades.js';

/** Largest message of the service: a clipboard of 1 MiB fits. */
const MESSAGE_MAX_BYTES = 2 << 20;

/** An idle link is pinged at this interval, in milliseconds, and closed after one missed answer. */
const HEARTBEAT = 20_000;

/** Connections that wait to be accepted; more must try again after a second. */
const BACKLOG = 4096;

export interface LinkHandler {
  opened(link: Link): void;
  binary(link: Link, body: Buffer): void;
  text(link: Link, text: string): void;
  closed(link: Link): void;
}

/** Other endpoints on the port. */
export interface Endpoints {
  readonly routes: readonly Route[];
  readonly upgrades: readonly Upgrade[];
}

/**
 * The agent's only port: WebSocket links and requests of the service, other endpoints under their own rules, no page for
 * a prepared browser, 401 for everything else.
 */
export class LinkServer {
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  });
  readonly #newcomers = new Newcomers();
  readonly #authorization: Authorization;
  readonly #handler: LinkHandler;
  readonly #upgrades: readonly Upgrade[];
  readonly #log: Log;
  readonly #refused: (fields: Fields) => void;

  constructor(authorization: Authorization, handler: LinkHandler, { routes, upgrades }: Endpoints, log: Log) {
    this.#authorization = authorization;
    this.#handler = handler;
    this.#upgrades = upgrades;
    this.#log = log;
    this.#refused = throttledWarning(log, 'link refused');
    // Who has not proven anything has less time than any of Node's limits; the service may take longer.
    this.#server = createServer({ headersTimeout: 0, requestTimeout: 0 });
    this.#server.on('connection', socket => this.#newcomers.add(socket));
    this.#server.on('request', (request, response) => {
      if (request.url === NO_PAGE_PATH) return void response.writeHead(204).end();
      if (authorization.answers(request, response)) return;
      if (this.#isProven(request)) return void serve(routes, request, response, log);
      response.writeHead(401, { Connection: 'close', 'Content-Length': 0 }).end();
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket as Socket, head),
    );
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  /** Listens on a port, or on a socket that listens already; resolves with the port's number, rejects if it is in use. */
  listen(place: { port: number } | { fd: number }): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ ...place, backlog: BACKLOG }, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /** Closes all links and the port. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.close(1001, 'the container stops');
    const closed = new Promise(resolve => this.#server.close(resolve));
    const cut = setTimeout(() => this.#sockets.clients.forEach(socket => socket.terminate()), 200);
    this.#server.closeAllConnections();
    this.#newcomers.close();
    await closed;
    clearTimeout(cut);
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const upgrade = this.#upgrades.find(({ path }) => path === request.url);
    if (upgrade?.admits(request)) {
      this.#newcomers.admit(socket);
      return this.#sockets.handleUpgrade(request, socket, head, it => upgrade.open(it));
    }
    if (request.url !== LINK_PATH || !this.#isProven(request)) {
      this.#refused({ from: socket.remoteAddress });
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    socket.setNoDelay(true);
    this.#sockets.handleUpgrade(request, socket, head, webSocket => this.#open(webSocket));
  }

  #isProven(request: IncomingMessage): boolean {
    const isProven = this.#authorization.isAuthorized(request);
    if (isProven) this.#newcomers.admit(request.socket);
    return isProven;
  }

  #open(socket: WebSocket): void {
    const link = new Link(socket);
    let alive = true;
    const heartbeat = setInterval(() => {
      if (!alive) socket.terminate();
      alive = false;
      socket.ping();
    }, HEARTBEAT);
    socket.on('pong', () => (alive = true));
    socket.on('message', (data: RawData, isBinary: boolean) => {
      alive = true;
      const bytes = data as Buffer;
      if (isBinary) this.#handler.binary(link, bytes);
      else this.#handler.text(link, bytes.toString());
    });
    socket.on('error', error => this.#log.warn('link error', { error: error.message }));
    socket.on('close', code => {
      clearInterval(heartbeat);
      this.#log.info('link closed', { code });
      this.#handler.closed(link);
    });
    this.#log.info('link opened');
    this.#handler.opened(link);
  }
}
