import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import { EXTENSION_ID, EXTENSION_PATH } from '../../../protocol/extension.js';
import type { ExtensionCall, FromExtension } from '../../../protocol/generated/schemas.js';
import { CallFailure } from '../../link/calls.js';
import type { Upgrade } from '../../link/upgrades.js';
import type { Fields, Log } from '../../lib/log.js';
import { throttledWarning } from '../../lib/throttled-warning.js';
import { parseFromExtension } from './extension-messages.js';

/** Milliseconds: for the first message of a socket, for an extension that is starting, for its answer. */
const HELLO_TIMEOUT = 5000;
const CONNECT_TIMEOUT = 15_000;
const ANSWER_TIMEOUT = 8000;

/** Maximum number of concurrent calls. */
const CALLS_MAX = 500;

/** Maximum number of sockets that have not said hello. Any program in the container could open them. */
const GREETING_MAX = 16;

type EventHandler = (args: readonly unknown[]) => void;

interface Pending {
  resolve(value: unknown): void;
  reject(error: CallFailure): void;
  readonly timer: NodeJS.Timeout;
}

type State = { type: 'absent'; waiters: Set<(socket: WebSocket) => void> } | { type: 'connected'; socket: WebSocket };

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The connection of the internal extension: calls to it, and its events. */
export class ExtensionChannel implements Upgrade {
  readonly path = EXTENSION_PATH;
  readonly #secret: Buffer;
  readonly #log: Log;
  readonly #refused: (fields: Fields) => void;
  readonly #handlers = new Map<string, EventHandler[]>();
  readonly #pending = new Map<number, Pending>();
  /** Sockets that have not said hello, the oldest first. */
  readonly #greeting = new Set<WebSocket>();
  #state: State = { type: 'absent', waiters: new Set() };
  #lastId = 0;

  constructor(secret: string, log: Log) {
    this.#secret = digest(secret);
    this.#log = log;
    this.#refused = throttledWarning(log, 'extension message refused');
  }

  /** Whether the extension can be called now. */
  get isConnected(): boolean {
    return this.#state.type === 'connected';
  }

  /** Pages and other extensions cannot forge their origin, and nobody outside can reach this address. */
  admits({ headers, socket }: IncomingMessage): boolean {
    return (
      headers.origin === `chrome-extension://${EXTENSION_ID}` &&
      /^(::ffff:)?127\.0\.0\.1$/.test(socket.remoteAddress ?? '')
    );
  }

  open(socket: WebSocket): void {
    const [oldest] = this.#greeting;
    if (oldest !== undefined && this.#greeting.size >= GREETING_MAX) {
      this.#greeting.delete(oldest);
      oldest.terminate();
    }
    this.#greeting.add(socket);
    const deadline = setTimeout(() => socket.terminate(), HELLO_TIMEOUT);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(deadline);
      this.#greeting.delete(socket);
      this.#closed(socket);
    });
    socket.on('message', (data: RawData) => {
      const text = (data as Buffer).toString();
      const message = parseFromExtension(text);
      if (message === null) this.#refused({ characters: text.length });
      if (this.#state.type === 'connected' && this.#state.socket === socket) return this.#received(message);
      if (message?.type !== 'hello' || !timingSafeEqual(digest(message.secret), this.#secret))
        return socket.terminate();
      clearTimeout(deadline);
      this.#greeting.delete(socket);
      this.#connected(socket);
    });
  }

  /**
   * `connected` is called on each connection, the other handler on events of the extension, such as `tabs.onCreated`.
   */
  on(event: string, handler: EventHandler): void {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
  }

  /**
   * Makes a call to the extension, with a time limit of `timeout` milliseconds; waits for one that is not connected
   * yet, for example while the browser starts.
   * @throws CallFailure `tab_error` with Chrome's own text; `not_ready` if the browser does not answer
   */
  async call(method: string, args: readonly unknown[], timeout = ANSWER_TIMEOUT): Promise<unknown> {
    const socket =
      this.#state.type === 'connected' ? this.#state.socket : await this.#whenConnected(this.#state.waiters);
    if (this.#pending.size >= CALLS_MAX)
      throw new CallFailure('not_ready', 'The browser is busy with other calls; try again.');
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new CallFailure('not_ready', 'The browser did not answer in time.'));
      }, timeout);
      this.#pending.set(id, { resolve, reject, timer });
      socket.send(JSON.stringify({ id, method, args } satisfies ExtensionCall));
    });
  }

  /** Closes the connection and fails all calls. */
  stop(): void {
    if (this.#state.type === 'connected') this.#state.socket.terminate();
    this.#abandon();
  }

  #whenConnected(waiters: Set<(socket: WebSocket) => void>): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      const connected = (socket: WebSocket) => {
        clearTimeout(timer);
        resolve(socket);
      };
      const timer = setTimeout(() => {
        waiters.delete(connected);
        reject(new CallFailure('not_ready', 'The browser is not ready yet; try again.'));
      }, CONNECT_TIMEOUT);
      waiters.add(connected);
    });
  }

  #connected(socket: WebSocket): void {
    const before = this.#state;
    this.#state = { type: 'connected', socket };
    this.#log.info('extension connected');
    if (before.type === 'connected') {
      before.socket.terminate();
      this.#abandon();
    } else {
      for (const resolve of before.waiters) resolve(socket);
    }
    this.#tell('connected', []);
  }

  #closed(socket: WebSocket): void {
    if (this.#state.type !== 'connected' || this.#state.socket !== socket) return;
    this.#state = { type: 'absent', waiters: new Set() };
    this.#log.warn('extension lost');
    this.#abandon();
  }

  #abandon(): void {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new CallFailure('not_ready', 'The browser was restarted; try again.'));
    }
    this.#pending.clear();
  }

  #received(message: FromExtension | null): void {
    if (message?.type === 'event') return this.#tell(message.name, message.args);
    if (message?.type !== 'result') return;
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error === undefined) pending.resolve(message.value ?? null);
    else pending.reject(new CallFailure('tab_error', message.error));
  }

  #tell(event: string, args: readonly unknown[]): void {
    for (const handler of this.#handlers.get(event) ?? []) handler(args);
  }
}
