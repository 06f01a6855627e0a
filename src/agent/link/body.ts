import type { IncomingMessage } from 'node:http';
import { finished, PassThrough, type Readable } from 'node:stream';

/** Time limit for reading and discarding the rest of a body, ms. */
const DRAIN_MS = 5_000;

/** A request's body. The request itself survives a failure, so that it can be answered. */
export function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough();
  // Nobody may be reading when the sender disconnects.
  body.on('error', () => undefined);
  finished(request, error => void (error && !request.complete && body.destroy(new Error('The sender has gone.'))));
  return request.pipe(body);
}

/**
 * Reads and discards the rest of a body; resolves when the sender has sent everything, disconnected, or exceeded the
 * time limit. A connection closed with unread data is reset, and an answer in transit would be lost.
 */
export function drained(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise(resolve => {
    const timer = setTimeout(resolve, DRAIN_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', done).once('close', done);
    request.unpipe();
    request.resume();
  });
}
