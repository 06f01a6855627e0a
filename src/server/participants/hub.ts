import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { CloseWarning } from '../../protocol/generated/schemas.js';
import { addressKey } from '../lib/address-key.js';
import {
  type Access,
  ADMINISTRATOR,
  CallError,
  HttpError,
  requireCapability,
  type SessionTokens,
} from '../model/index.js';
import { admit, parseStreamUrl, refuse } from './join/handshake.js';
import type { AgentHttp } from '../agent-link/index.js';
import { AddressBudgets } from './join/address-budgets.js';
import { AwaitedSessions } from './join/awaited-sessions.js';
import { SessionConnection } from './session-connection.js';
import { VIEWER_MAX_BYTES, VIEWER_MAX_FRAMES } from './viewer/from-viewer.js';
import { ConnectionLimit } from './join/connection-limit.js';
import type { HubOptions, LastWords, LinkTarget } from './types.js';
import type { Users } from './access/users.js';

/** How long a viewer waits for a running session that this process has not taken over yet, ms. */
const AWAIT_TIMEOUT_MS = 10_000;

/** A connected viewer that a request comes from. */
export interface TicketHolder {
  userId: string;
  access: Access;
  /** Records activity of the viewer; whether it has control now. */
  takesPart(): boolean;
}

interface Attachment {
  connection: SessionConnection;
  opened: Promise<void>;
}

/** All sessions' links and viewers. */
export class Hub {
  readonly #options: HubOptions;
  readonly #attached = new Map<string, Attachment>();
  readonly #awaited = new AwaitedSessions();
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
  #isStopped = false;

  constructor(options: HubOptions) {
    this.#options = options;
    const { viewersPerSession, viewersPerAddress } = options.limits;
    this.#limits = {
      perSession: new ConnectionLimit(viewersPerSession),
      perAddress: new ConnectionLimit(viewersPerAddress),
    };
  }

  /**
   * Opens the link to a session's agent, retrying while its container starts, and sends the launch. Resolves when the
   * agent has accepted it; from then on the link reconnects automatically until `detach`. Rejects when `signal` aborts,
   * or with an AgentRefusal; nothing is left open then. Attaching an attached session waits for the link that is being
   * opened.
   */
  attach(target: LinkTarget, signal?: AbortSignal): Promise<void> {
    const attached = this.#attached.get(target.sessionId);
    if (attached !== undefined) return attached.opened;
    if (this.#isStopped) return Promise.reject(new Error('The hub has stopped.'));
    if (signal?.aborted) return Promise.reject(signal.reason);
    const connection = new SessionConnection(target, this.#options);
    const opened = this.#open(target.sessionId, connection, signal);
    this.#attached.set(target.sessionId, { connection, opened });
    this.#awaited.announce(target.sessionId);
    return opened;
  }

  /**
   * Tells the session's viewers that it has ended, and closes their sockets and the link; resolves when they are gone,
   * after a second at most. Idempotent.
   */
  async detach(sessionId: string, end: LastWords): Promise<void> {
    const attached = this.#attached.get(sessionId);
    this.#attached.delete(sessionId);
    await attached?.connection.end(end);
  }

  /** Handles a viewer's upgrade request, `/s/{session_id}/stream?token=`, and refuses all others. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Errors before the connection is a WebSocket need no handling.
    socket.on('error', () => socket.destroy());
    const ip = this.#options.clientIp(request);
    this.#upgrade(request, socket, head, ip).catch((error: unknown) => {
      if (error instanceof HttpError) {
        const answer = this.#options.callers.answering(ip, error);
        const session = parseStreamUrl(request.url ?? '')?.sessionId;
        const actor = { type: 'unknown' } as const;
        this.#options.events.acted?.({
          event: 'user.connect',
          result: 'refused',
          actor,
          session,
          ip,
          code: answer.code,
        });
        return refuse(socket, answer);
      }
      this.#options.log.error({ err: error }, 'upgrade failed');
      refuse(socket, new HttpError('internal', { cause: error }));
    });
  }

  /** Shows current and later viewers when the session will end; without `timeout`, that it will not. */
  warn(sessionId: string, warning: CloseWarning): void {
    this.#attached.get(sessionId)?.connection.room.warn(warning);
  }

  /** Viewers that have joined the session through this service. */
  viewerCount(sessionId: string): number {
    return this.#attached.get(sessionId)?.connection.room.viewerCount ?? 0;
  }

  /**
   * When a session's agent was last heard from by this process, UTC milliseconds; null: never, or the session has
   * ended.
   */
  heardAt(sessionId: string): number | null {
    return this.#attached.get(sessionId)?.connection.heardAt ?? null;
  }

  /** Resets the inactivity timeout at the agent. */
  keepAlive(sessionId: string): void {
    this.#attached.get(sessionId)?.connection.keepAlive();
  }

  /** Carries out a REST call to a session, as an admin. @throws CallError */
  async perform(sessionId: string, method: string, args: unknown): Promise<unknown> {
    return this.#connection(sessionId).room.perform(ADMINISTRATOR, method, args);
  }

  /** The users of a session. @throws CallError if the session is not served here */
  users(sessionId: string): Users {
    return this.#connection(sessionId).room.users;
  }

  /** @throws CallError if the session is not a browser, or not served here */
  requireBrowser(sessionId: string): void {
    requireCapability(this.#connection(sessionId).kind, 'browser');
  }

  /** HTTP requests to a session's agent. @throws CallError if the session is not served here */
  agent(sessionId: string): AgentHttp {
    return this.#connection(sessionId).http;
  }

  /** The viewer with this ticket as it is now; null if no connected viewer has it. */
  byTicket(sessionId: string, ticket: string): TicketHolder | null {
    const room = this.#attached.get(sessionId)?.connection.room;
    const viewer = room?.byTicket(ticket);
    if (room === undefined || viewer === undefined) return null;
    return { userId: viewer.userId, access: viewer.access, takesPart: () => room.takesPart(viewer) };
  }

  /** A session's tokens were renewed. Unless `keepViewers`, viewers with an old token are disconnected. */
  renewTokens(sessionId: string, tokens: SessionTokens, keepViewers: boolean): void {
    this.#attached.get(sessionId)?.connection.room.renewTokens(tokens, keepViewers);
  }

  /** Tells a session's viewers what its start is waiting for. */
  waitsFor(sessionId: string, message: string): void {
    this.#attached.get(sessionId)?.connection.waitsFor(message);
  }

  /** Closes links and viewers (1012: they reconnect), within about a second. Containers keep running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#awaited.stop();
    const closed = [...this.#attached.values()].map(({ connection }) => connection.restart());
    this.#attached.clear();
    await Promise.all(closed);
  }

  #connection(sessionId: string): SessionConnection {
    const connection = this.#attached.get(sessionId)?.connection;
    if (connection === undefined) throw new CallError('agent_lost', 'The session cannot be reached; try again.');
    return connection;
  }

  async #open(sessionId: string, connection: SessionConnection, signal: AbortSignal | undefined): Promise<void> {
    const abort = () => void connection.restart();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      await connection.open();
    } catch (error) {
      void connection.restart();
      if (this.#attached.get(sessionId)?.connection === connection) this.#attached.delete(sessionId);
      throw signal?.aborted ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, ip: string): Promise<void> {
    this.#options.callers.upgrading(ip);
    const stream = parseStreamUrl(request.url ?? '');
    if (stream === null) throw new HttpError('not_found');
    const { sessionId, token, version } = stream;
    const claim = await admit(sessionId, token, this.#options);
    if (!this.#limits.perAddress.take(addressKey(ip), socket))
      throw full('Too many viewers are connected from your address.');
    if (!this.#attached.has(sessionId)) await this.#awaited.wait(sessionId, AWAIT_TIMEOUT_MS);
    const connection = this.#attached.get(sessionId)?.connection;
    if (connection === undefined)
      throw new HttpError('not_ready', { message: 'The session cannot be reached; try again.' });
    if (!connection.room.isInForce(claim)) throw new HttpError('invalid_token');
    if (!this.#limits.perSession.take(sessionId, socket)) throw full('The session has reached its limit of viewers.');
    const about = {
      ip,
      user_agent: request.headers['user-agent']?.slice(0, 1024) ?? '',
      version,
      budget: this.#budgets.of(addressKey(ip), socket),
    };
    this.#sockets.handleUpgrade(request, socket, head, viewer => connection.room.admit(viewer, claim.purpose, about));
  }
}

const full = (message: string) => new HttpError('capacity', { message, retryAfter: 5 });
