import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError } from '../model/index.js';
import { hasBody } from './bodies/json.js';
import { noteError } from './middleware/audit.js';

/** Time limits for receiving requests, milliseconds. */
export interface ReceiveLimits {
  /** For all headers. */
  headersMs: number;
  /** Without any data of the body. */
  stallMs: number;
  /** After this long a body must have arrived at `bytesPerSecond` on average. */
  graceMs: number;
  bytesPerSecond: number;
  /** How often that is checked. */
  checkMs: number;
}

export const RECEIVE_LIMITS: ReceiveLimits = {
  headersMs: 20_000,
  stallMs: 30_000,
  graceMs: 600_000,
  bytesPerSecond: 1024,
  checkMs: 1000,
};

/**
 * Ends a request with 408 if its body stalls or trickles in; one that is merely slow continues. Data that has arrived
 * but has not been read yet is not held against the caller.
 */
export function endSlowBody(request: IncomingMessage, response: ServerResponse, limits: ReceiveLimits): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  const begun = performance.now();
  const before = socket.bytesRead;
  let seen = { bytes: before, at: begun };
  const timer = setInterval(() => {
    const now = performance.now();
    // A request that was answered before its body was read does not report that its connection has closed.
    if (request.complete || socket.destroyed) return clearInterval(timer);
    if (socket.bytesRead > seen.bytes || request.readableLength > 0) seen = { bytes: socket.bytesRead, at: now };
    const seconds = (now - begun) / 1000;
    const isDrip = now - begun > limits.graceMs && socket.bytesRead - before < seconds * limits.bytesPerSecond;
    if (now - seen.at < limits.stallMs && !isDrip) return;
    clearInterval(timer);
    end(request, response);
  }, limits.checkMs);
  request.once('close', () => clearInterval(timer));
}

/** Answers unless somebody already has; the connection cannot be used any more. */
function end(request: IncomingMessage, response: ServerResponse): void {
  const close = () => void request.destroy();
  if (response.headersSent || response.destroyed) return close();
  const error = new HttpError('body_stalled');
  noteError(response, error.code);
  response.once('finish', close);
  response.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' });
  response.end(JSON.stringify(error.body));
}
