import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeInput } from '../../src/protocol/input.js';
import { MessageType } from '../../src/protocol/message-type.js';

/** What the viewers of a flood do. */
export type FloodKind = 'pings' | 'pointers' | 'all';

/** Their target: `base` is a session's address, http. */
export interface FloodTarget {
  base: string;
  token: string;
}

/** How often each viewer sends, ms, and how many bytes may wait in its socket: the target is to be busy, not this. */
const TICK_MS = 20;
const WAITING_BYTES = 16 << 10;

/** Pings per viewer and second, and moves where that is ordinary use. */
const PINGS = 900;
const MOVES = 30;

/** Intervals of connections that only come and go, of those that are refused, and of requests: the rate limit's, ms. */
const COMING_MS = 20;
const REFUSED_MS = 20;
const REQUEST_MS = 10;

const PING = Buffer.from([MessageType.ping, 1, 2, 3, 4, 5, 6, 7, 8]);
const call = (method: string, ...args: unknown[]) => JSON.stringify({ type: 'call', id: 1, method, args });
const move = () => encodeInput({ type: 'move', x: Math.random(), y: Math.random() });
const key = (down: boolean) => encodeInput({ type: 'key', down, keysym: 0x61 });

const many = (perSecond: number, make: (at: number) => Uint8Array | string) =>
  Array.from({ length: Math.floor((perSecond * TICK_MS) / 1000) }, (_, at) => make(at));

/** What each fourth viewer does in a tick: pings, moves, calls, or everything, much of it invalid. */
const HOSTILE: readonly ((tick: number) => (Uint8Array | string)[])[] = [
  () => many(PINGS, () => PING),
  () => many(900, at => (at % 4 === 0 ? key(at % 8 === 0) : move())),
  () => many(900, at => [call('takeSeat'), call('leaveSeat'), call('nonsense', 'x'.repeat(1000))][at % 3] ?? ''),
  tick => [
    ...many(300, () => PING),
    ...many(300, move),
    Buffer.of(MessageType.ack, 1, 2, 3, 4),
    call('addRoles', [], ['control'], true),
    JSON.stringify({ type: 'media', video: tick % 2 === 0 }),
    JSON.stringify({ type: 'resize', width: 800 + (tick % 100), height: 600 }),
    Buffer.of(MessageType.refresh),
    ...(tick % 50 === 0 ? [Buffer.of(0xee), '{'] : []),
  ],
];

/** Whether a move is due in a tick of ordinary use. */
const moves = (tick: number) => Math.floor((tick * MOVES * TICK_MS) / 1000);

const TICKS: Record<FloodKind, (tick: number, viewer: number) => (Uint8Array | string)[]> = {
  pings: () => many(PINGS, () => PING),
  pointers: tick => (moves(tick) > moves(tick - 1) ? [move()] : []),
  all: (tick, viewer) => HOSTILE[viewer % HOSTILE.length]?.(tick) ?? [],
};

/** Many viewers of one session that do what the kind says, until `stop`. */
export class Flood {
  readonly #sockets: (WebSocket | undefined)[];
  readonly #target: FloodTarget;
  readonly #kind: FloodKind;
  #isOn = true;

  constructor(target: FloodTarget, kind: FloodKind, viewers: number) {
    this.#target = target;
    this.#kind = kind;
    this.#sockets = Array.from({ length: viewers }, () => undefined);
  }

  /** Connects all viewers, then starts to send. */
  async start(): Promise<void> {
    for (let at = 0; at < this.#sockets.length; at++) await this.#connect(at);
    void this.#send();
    if (this.#kind !== 'all') return;
    void this.#repeat(COMING_MS, () => this.#come(this.#target.token));
    void this.#repeat(REFUSED_MS, () => this.#come('wrong'));
    void this.#repeat(REQUEST_MS, () => this.#request());
  }

  stop(): void {
    this.#isOn = false;
    for (const socket of this.#sockets) socket?.terminate();
  }

  #open(token: string): WebSocket {
    const { base } = this.#target;
    // Hostile viewers answer no probes.
    const autoPong = this.#kind !== 'all';
    const url = `${base.replace('http', 'ws')}/stream?token=${token}&v=2`;
    return new WebSocket(url, { perMessageDeflate: false, autoPong }).on('error', () => {});
  }

  /** Resolves when it is open, or was refused. */
  #connect(at: number): Promise<void> {
    const socket = this.#open(this.#target.token);
    this.#sockets[at] = socket;
    return new Promise(resolve => {
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'join', audio: false, video: this.#kind === 'all' }));
        resolve();
      });
      socket.on('close', () => {
        resolve();
        if (this.#isOn) setTimeout(() => this.#isOn && void this.#connect(at), 500);
      });
    });
  }

  async #send(): Promise<void> {
    for (let tick = 1; this.#isOn; tick++) {
      const begun = performance.now();
      for (const [viewer, socket] of this.#sockets.entries()) {
        if (socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > WAITING_BYTES) continue;
        for (const message of TICKS[this.#kind](tick, viewer)) socket.send(message);
      }
      await wait(Math.max(0, TICK_MS - (performance.now() - begun)));
    }
  }

  async #repeat(everyMs: number, act: () => Promise<unknown>): Promise<void> {
    while (this.#isOn) {
      const begun = performance.now();
      await act().catch(() => undefined);
      await wait(Math.max(0, everyMs - (performance.now() - begun)));
    }
  }

  /** Connects, joins and leaves, or is refused. */
  async #come(token: string): Promise<void> {
    const socket = this.#open(token);
    await new Promise<void>(resolve => {
      socket.on('close', () => resolve());
      socket.on('open', () => {
        socket.send('{"type":"join"}');
        socket.close();
      });
    });
  }

  async #request(): Promise<void> {
    const answer = await fetch(`${this.#target.base}/status?token=${this.#target.token}`);
    await answer.text();
  }
}
