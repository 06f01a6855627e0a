import type { WebSocket } from 'ws';

/** Pings without an answer after which a socket counts as dead. */
const MISSES = 2;

const TIME_BYTES = 8;
const NUMBER_BYTES = 4;

/**
 * Pings a socket at once and every `intervalMs`, and terminates it when it does not answer. Ends with the socket.
 * Also keeps proxies from closing a quiet connection. `measured` gets the round trip and the time of an answer, ms.
 */
export function keepAlive(
  socket: WebSocket,
  intervalMs: number,
  measured: (rttMs: number, now: number) => void = () => {},
): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered >= MISSES) return socket.terminate();
    unanswered++;
    ping(socket);
  }, intervalMs);
  timer.unref();
  socket.on('pong', data => {
    unanswered = 0;
    if (data.length !== TIME_BYTES) return;
    const now = performance.now();
    const rttMs = now - data.readDoubleLE(0);
    if (rttMs >= 0) measured(rttMs, now);
  });
  socket.on('close', () => clearInterval(timer));
  ping(socket);
}

/** Asks a kept-alive socket for a sign of life. */
export function ping(socket: WebSocket): void {
  const sentAt = Buffer.alloc(TIME_BYTES);
  sentAt.writeDoubleLE(performance.now());
  socket.ping(sentAt);
}

/** Sends a ping with a number: what was sent before it has arrived when its answer comes. */
export function probe(socket: WebSocket, number: number): void {
  const payload = Buffer.alloc(NUMBER_BYTES);
  payload.writeUInt32LE(number);
  socket.ping(payload);
}

/** The number of the probe that a pong answers; undefined where it answers something else. */
export function probeOf(pong: Buffer): number | undefined {
  return pong.length === NUMBER_BYTES ? pong.readUInt32LE(0) : undefined;
}

/** Pings of the other side are answered while the answers are taken: flooding with them costs no memory. */
const PONG_LIMIT_BYTES = 64 << 10;

/** Answers pings; the socket must have been made with `autoPong: false`. */
export function answerPings(socket: WebSocket): void {
  socket.on('ping', data => {
    if (socket.bufferedAmount < PONG_LIMIT_BYTES) socket.pong(data);
  });
}
