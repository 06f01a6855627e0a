import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';

/** Unanswered pings after which a socket counts as dead. */
const MISSES = 2;

/** Pings whose answers are tracked; older ones no longer count. */
const MAX_AWAITED = 16;

const ID_BYTES = 8;
const NUMBER_BYTES = 4;

/**
 * Pings a socket immediately and every `intervalMs`, and terminates it if it does not answer. Ends with the socket.
 * Also keeps proxies from closing an idle connection. Only a peer that has read a ping can answer it: unsolicited pongs
 * are ignored. `measured` receives the round trip and the time of an answer, ms.
 */
export class Heartbeat {
  readonly #socket: WebSocket;
  readonly #sentAt = new Map<string, number>();

  constructor(socket: WebSocket, intervalMs: number, measured: (rttMs: number, now: number) => void = () => {}) {
    this.#socket = socket;
    let unanswered = 0;
    const timer = setInterval(() => {
      if (unanswered >= MISSES) return socket.terminate();
      unanswered++;
      this.ping();
    }, intervalMs);
    timer.unref();
    socket.on('pong', data => {
      const sentAt = data.length === ID_BYTES ? this.#answered(data.toString('latin1')) : undefined;
      if (sentAt === undefined) return;
      unanswered = 0;
      const now = performance.now();
      measured(now - sentAt, now);
    });
    socket.on('close', () => clearInterval(timer));
    this.ping();
  }

  /** Pings immediately. */
  ping(): void {
    const id = randomBytes(ID_BYTES);
    this.#sentAt.set(id.toString('latin1'), performance.now());
    const [oldest] = this.#sentAt.keys();
    if (this.#sentAt.size > MAX_AWAITED && oldest !== undefined) this.#sentAt.delete(oldest);
    this.#socket.ping(id);
  }

  #answered(id: string): number | undefined {
    const sentAt = this.#sentAt.get(id);
    this.#sentAt.delete(id);
    return sentAt;
  }
}

/** Sends a ping with a number: when it is answered, everything sent before it has arrived. */
export function probe(socket: WebSocket, number: number): void {
  const payload = Buffer.alloc(NUMBER_BYTES);
  payload.writeUInt32LE(number);
  socket.ping(payload);
}

/** The number of the probe that a pong answers; undefined if it is not a probe's. */
export function probeOf(pong: Buffer): number | undefined {
  return pong.length === NUMBER_BYTES ? pong.readUInt32LE(0) : undefined;
}
