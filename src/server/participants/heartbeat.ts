import type { WebSocket } from 'ws';

/** Pings without an answer after which a socket counts as dead. */
const MISSES = 2;

/**
 * Pings a socket at once and every `intervalMs`, and terminates it when it does not answer. Ends with the socket.
 * Also keeps proxies from closing a quiet connection. `answered` gets the round trip and the time of an answer, ms.
 */
export function keepAlive(
  socket: WebSocket,
  intervalMs: number,
  answered: (rttMs: number, now: number) => void = () => {},
): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered >= MISSES) return socket.terminate();
    unanswered++;
    ping(socket);
  }, intervalMs);
  timer.unref();
  socket.on('pong', data => {
    const now = performance.now();
    const rttMs = data.length === 8 ? now - data.readDoubleLE(0) : NaN;
    if (!(rttMs >= 0)) return;
    unanswered = 0;
    answered(rttMs, now);
  });
  socket.on('close', () => clearInterval(timer));
  ping(socket);
}

/** Asks a kept-alive socket for a sign of life. */
export function ping(socket: WebSocket): void {
  const sentAt = Buffer.alloc(8);
  sentAt.writeDoubleLE(performance.now());
  socket.ping(sentAt);
}

/** Pings of the other side are answered while the answers are taken: flooding with them costs no memory. */
const PONG_LIMIT_BYTES = 64 << 10;

/** Answers pings; the socket must have been made with `autoPong: false`. */
export function answerPings(socket: WebSocket): void {
  socket.on('ping', data => {
    if (socket.bufferedAmount < PONG_LIMIT_BYTES) socket.pong(data);
  });
}
