import { fromViewer, pong } from '../../../protocol/viewer-wire.js';
import type { SessionAddress } from './address.js';
import { backoff, deadline, LONGEST_MS } from './backoff.js';
import { endingOfAnswer, endingOfClose, type Ending } from './close-reason.js';

const PING_INTERVAL_MS = 2000;
/** Silence of the service after which the network counts as broken. */
const DEAD_AFTER_MS = 8000;

export interface ConnectionEvents {
  /** A socket is open: send the join. */
  opened(): void;
  text(text: string): void;
  binary(bytes: Uint8Array): void;
  /** The socket is closed; another attempt follows. */
  lost(): void;
  /** The session is over for this viewer. */
  ended(ending: Ending): void;
}

type State =
  | { type: 'connecting'; socket: WebSocket; timer: ReturnType<typeof setTimeout> }
  | { type: 'open'; socket: WebSocket; timer: ReturnType<typeof setInterval>; pingedAt: number | null }
  | { type: 'waiting'; timer: ReturnType<typeof setTimeout> }
  | { type: 'asking' }
  | { type: 'over' };

/** The viewer's socket: opens it, reconnects when it is lost, and recognizes when that is pointless. */
export class Connection {
  readonly #address: SessionAddress;
  readonly #events: ConnectionEvents;
  #state: State = { type: 'over' };
  #attempt = 0;
  #rtt: number | null = null;

  constructor(address: SessionAddress, events: ConnectionEvents) {
    this.#address = address;
    this.#events = events;
  }

  /** Round trip in milliseconds; null until it is known. */
  get rtt(): number | null {
    return this.#rtt;
  }

  /** Bytes buffered for sending. */
  get backlog(): number {
    return this.#state.type === 'open' ? this.#state.socket.bufferedAmount : 0;
  }

  /** Opens the connection, or reopens it immediately. */
  connect(): void {
    this.#leave();
    const socket = new WebSocket(this.#address.stream);
    socket.binaryType = 'arraybuffer';
    const timer = setTimeout(() => this.#gaveUp(socket), deadline(this.#attempt, this.#rtt));
    this.#state = { type: 'connecting', socket, timer };
    socket.onopen = () => this.#opened(socket);
    socket.onclose = event => this.#lost(socket, event.code);
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#events.text(data);
      else this.#binary(new Uint8Array(data));
    };
  }

  /** Ends a wait before reconnecting: the network may be back. */
  hurry(): void {
    if (this.#state.type === 'waiting') this.connect();
  }

  /** The service admitted the viewer: delays start short again at the next loss. */
  joined(): void {
    this.#attempt = 0;
  }

  /** Sends a message; returns false and drops it if it cannot be sent now, since it would arrive too late. */
  send(message: Uint8Array | string): boolean {
    if (this.#state.type !== 'open') return false;
    this.#state.socket.send(message);
    return true;
  }

  stop(): void {
    this.#leave();
  }

  #opened(socket: WebSocket): void {
    if (this.#state.type !== 'connecting' || this.#state.socket !== socket) return;
    clearTimeout(this.#state.timer);
    this.#state = { type: 'open', socket, timer: setInterval(() => this.#ping(), PING_INTERVAL_MS), pingedAt: null };
    this.#events.opened();
    this.#ping();
  }

  #binary(bytes: Uint8Array): void {
    if (pong.decode(bytes) === null) return this.#events.binary(bytes);
    if (this.#state.type !== 'open' || this.#state.pingedAt === null) return;
    this.#rtt = Math.max(0, performance.now() - this.#state.pingedAt);
    this.#state.pingedAt = null;
  }

  #ping(): void {
    if (this.#state.type !== 'open') return;
    const now = performance.now();
    const { pingedAt, socket } = this.#state;
    if (pingedAt !== null) {
      if (now - pingedAt > DEAD_AFTER_MS) this.#lost(socket, 1006);
      return;
    }
    this.#state.pingedAt = now;
    socket.send(fromViewer.ping.encode({ token: BigInt(Math.trunc(now)) }));
  }

  /** Where nothing answered, nothing would say why either. Who waited for long asks all the same. */
  #gaveUp(socket: WebSocket): void {
    if (deadline(this.#attempt, this.#rtt) === LONGEST_MS) return this.#lost(socket, 1006);
    this.#leave();
    this.#events.lost();
    this.#retry();
  }

  #lost(socket: WebSocket, code: number): void {
    const state = this.#state;
    if ((state.type !== 'connecting' && state.type !== 'open') || state.socket !== socket) return;
    const ending = endingOfClose(code);
    if (ending !== null) return this.#end(ending);
    this.#leave();
    this.#events.lost();
    if (state.type === 'connecting') void this.#askWhy();
    else this.#retry();
  }

  /** A page cannot see the HTTP status of a refused WebSocket. */
  async #askWhy(): Promise<void> {
    const asking: State = { type: 'asking' };
    this.#state = asking;
    const ending = await fetch(this.#address.status, {
      signal: AbortSignal.timeout(deadline(this.#attempt, this.#rtt)),
      cache: 'no-store',
    }).then(endingOfAnswer, () => null);
    if (this.#state !== asking) return;
    if (ending !== null) this.#end(ending);
    else this.#retry();
  }

  #retry(): void {
    const wait = backoff(this.#attempt++, Math.random());
    this.#state = { type: 'waiting', timer: setTimeout(() => this.connect(), wait) };
  }

  #end(ending: Ending): void {
    this.#leave();
    this.#events.ended(ending);
  }

  #leave(): void {
    const state = this.#state;
    this.#state = { type: 'over' };
    if (state.type === 'open') clearInterval(state.timer);
    else if ('timer' in state) clearTimeout(state.timer);
    if ('socket' in state) {
      state.socket.onopen = state.socket.onclose = state.socket.onmessage = null;
      state.socket.close();
    }
  }
}
