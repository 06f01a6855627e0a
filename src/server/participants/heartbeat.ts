import type { WebSocket } from 'ws';

/** Pings without an answer after which a socket counts as dead. */
const MISSES = 2;

/**
 * Pings a socket every `intervalMs` and terminates it when it does not answer. Ends with the socket. Short enough
 * an interval also keeps proxies from closing a quiet connection.
 */
export function keepAlive(socket: WebSocket, intervalMs: number): void {
  let unanswered = 0;
  const timer = setInterval(() => {
    if (unanswered >= MISSES) return socket.terminate();
    unanswered++;
    socket.ping();
  }, intervalMs);
  timer.unref();
  socket.on('pong', () => (unanswered = 0));
  socket.on('close', () => clearInterval(timer));
}

/** Pings of the other side are answered while the answers are taken: flooding with them costs no memory. */
const PONG_LIMIT_BYTES = 64 << 10;

/** Answers pings; the socket must have been made with `autoPong: false`. */
export function answerPings(socket: WebSocket): void {
  socket.on('ping', data => {
    if (socket.bufferedAmount < PONG_LIMIT_BYTES) socket.pong(data);
  });
}
