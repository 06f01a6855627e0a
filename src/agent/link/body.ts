import type { IncomingMessage } from 'node:http';
import { finished, PassThrough, type Readable } from 'node:stream';

/** So long the rest of a body is read and dropped, ms. */
const DRAIN_MS = 5_000;

/** What a request brings. The request itself outlives whatever fails on the way, so that it can be answered. */
export function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough();
  // Nobody may be reading when the sender goes.
  body.on('error', () => undefined);
  finished(request, error => void (error && !request.complete && body.destroy(new Error('The sender has gone.'))));
  return request.pipe(body);
}

/**
 * Reads and drops what is left of a body; resolves when the sender has sent all, has gone, or goes on for too long. A
 * connection that is closed while there is something to read is reset, and an answer that was on its way is lost.
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
