import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import type { AuditEvent } from '../../audit/index.js';
import type { ViewerLimits } from '../../config/index.js';
import { addressKey } from '../../lib/address-key.js';
import type { TokenBucket } from '../../lib/token-bucket.js';
import { type Callers, HttpError, type TokenClaim } from '../../model/index.js';
import type { Room } from '../room.js';
import { VIEWER_MAX_BYTES, VIEWER_MAX_FRAMES } from '../viewer/from-viewer.js';
import { sharedBudget } from '../viewer/allowance.js';

export interface UpgradeOptions {
  log: Logger;
  /** The address that a request came from, as far as proxies are trusted. */
  clientIp: (request: IncomingMessage) => string;
  /** Throttles addresses that connect too often, or present wrong tokens. */
  callers: Callers;
  limits: ViewerLimits;
  /**
   * The claims of a token that was made for the session, checked in constant time; null if it was not. Accesses no
   * store.
   */
  verify: (sessionId: string, token: string) => TokenClaim | null;
  /** What the store knows about a session. It is asked for viewers with a valid token. */
  find: (sessionId: string) => Promise<'unknown' | 'ended' | 'running'>;
  /** The room of a session that is served here, or is about to be; undefined: none. */
  roomOf: (sessionId: string) => Promise<Room | undefined>;
  /** Somebody was refused; for the audit log. */
  acted?: (event: AuditEvent) => void;
}

/** Lets viewers in: by an upgrade request with a session's token, within the limits of connections. */
export class Upgrades {
  readonly #options: UpgradeOptions;
  readonly #limits: { perSession: ConnectionLimit; perAddress: ConnectionLimit };
  readonly #budgets = new AddressBudgets();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: VIEWER_MAX_BYTES,
    maxFragments: VIEWER_MAX_FRAMES,
  });

  constructor(options: UpgradeOptions) {
    this.#options = options;
    const { viewersPerSession, viewersPerAddress } = options.limits;
    this.#limits = {
      perSession: new ConnectionLimit(viewersPerSession),
      perAddress: new ConnectionLimit(viewersPerAddress),
    };
  }

  /** Handles a viewer's upgrade request, `/s/{session_id}/stream?token=`, and refuses all others. */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Errors before the connection is a WebSocket need no handling.
    socket.on('error', () => socket.destroy());
    const ip = this.#options.clientIp(request);
    this.#upgrade(request, socket, head, ip).catch((error: unknown) => {
      if (!(error instanceof HttpError)) {
        this.#options.log.error({ err: error }, 'upgrade failed');
        return refuse(socket, new HttpError('internal', { cause: error }));
      }
      const answer = this.#options.callers.answering(ip, error);
      const session = parseStreamUrl(request.url ?? '')?.sessionId;
      const actor = { type: 'unknown' } as const;
      this.#options.acted?.({ event: 'user.connect', result: 'refused', actor, session, ip, code: answer.code });
      refuse(socket, answer);
    });
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, ip: string): Promise<void> {
    this.#options.callers.upgrading(ip);
    const stream = parseStreamUrl(request.url ?? '');
    if (stream === null) throw new HttpError('not_found');
    const { sessionId, token, version } = stream;
    const claim = await this.#claim(sessionId, token);
    if (!this.#limits.perAddress.take(addressKey(ip), socket))
      throw full('Too many viewers are connected from your address.');
    const room = await this.#options.roomOf(sessionId);
    if (room === undefined) throw new HttpError('not_ready', { message: 'The session cannot be reached; try again.' });
    if (!room.isInForce(claim)) throw new HttpError('invalid_token');
    if (!this.#limits.perSession.take(sessionId, socket)) throw full('The session has reached its limit of viewers.');
    const about = {
      ip,
      user_agent: request.headers['user-agent']?.slice(0, 1024) ?? '',
      version,
      budget: this.#budgets.of(addressKey(ip), socket),
    };
    this.#sockets.handleUpgrade(request, socket, head, viewer => room.admit(viewer, claim.purpose, about));
  }

  /** What a token claims; its room decides whether that is in force. @throws HttpError */
  async #claim(sessionId: string, token: string): Promise<TokenClaim> {
    const claim = this.#options.verify(sessionId, token);
    if (claim === null) throw new HttpError('invalid_token');
    const status = await this.#options.find(sessionId);
    if (status === 'unknown') throw new HttpError('session_not_found');
    if (status === 'ended') throw new HttpError('session_ended');
    return claim;
  }
}

const full = (message: string) => new HttpError('capacity', { message, retryAfter: 5 });

/** Counts connections per key. */
class ConnectionLimit {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  /** `limit` per key; 0: unlimited. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a connection until it closes; false if the limit is reached. */
  take(key: string, connection: Duplex): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (this.#limit > 0 && count >= this.#limit) return false;
    if (connection.destroyed) return true;
    this.#counts.set(key, count + 1);
    connection.once('close', () => this.#free(key));
    return true;
  }

  #free(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** A budget that nobody uses is kept until it would be full again, so that a new connection does not refill it, ms. */
const KEPT_MS = 2000;

/** The budgets that viewers of the same address share. */
class AddressBudgets {
  readonly #budgets = new Map<string, { budget: TokenBucket; users: number }>();

  /** The budget of an address, in use until the connection closes. */
  of(key: string, connection: Duplex): TokenBucket {
    let entry = this.#budgets.get(key);
    if (entry === undefined) this.#budgets.set(key, (entry = { budget: sharedBudget(), users: 0 }));
    const used = entry;
    used.users++;
    const released = () => {
      if (--used.users > 0) return;
      setTimeout(
        () => used.users === 0 && this.#budgets.get(key) === used && this.#budgets.delete(key),
        KEPT_MS,
      ).unref();
    };
    if (connection.destroyed) released();
    else connection.once('close', released);
    return used.budget;
  }
}

const STREAM_PATH = /^\/s\/([\w-]{1,64})\/stream$/;

/** What a viewer's upgrade request asks for. */
interface StreamRequest {
  sessionId: string;
  token: string;
  /** The version of the messages to viewers that its page understands. */
  version: number;
}

/** What is in the address of a viewer's upgrade request; null if its path is not that of a stream. */
function parseStreamUrl(url: string): StreamRequest | null {
  if (!url.startsWith('/') || !URL.canParse(url, 'http://service')) return null;
  const { pathname, searchParams } = new URL(url, 'http://service');
  const sessionId = STREAM_PATH.exec(pathname)?.[1];
  if (sessionId === undefined) return null;
  // Pages from before there were versions do not say one.
  return { sessionId, token: searchParams.get('token') ?? '', version: Number(searchParams.get('v') ?? 1) };
}

/** Answers an upgrade request with an error of the REST interface, and closes the connection. */
function refuse(socket: Duplex, error: HttpError): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(error.body);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...(error.retryAfter === undefined ? [] : [`retry-after: ${error.retryAfter}`]),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
