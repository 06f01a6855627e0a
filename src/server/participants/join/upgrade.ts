import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpError } from '../../model/index.js';

const STREAM_PATH = /^\/s\/([\w-]{1,64})\/stream$/;

/** Session and token of a viewer's upgrade request; null where its address is not that of a stream. */
export function parseStreamUrl(url: string): { sessionId: string; token: string } | null {
  if (!url.startsWith('/') || !URL.canParse(url, 'http://service')) return null;
  const { pathname, searchParams } = new URL(url, 'http://service');
  const sessionId = STREAM_PATH.exec(pathname)?.[1];
  return sessionId === undefined ? null : { sessionId, token: searchParams.get('token') ?? '' };
}

/** Answers an upgrade request with an error of the REST interface, and closes the connection. */
export function refuse(socket: Duplex, error: HttpError): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(error.body);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...(error.retryAfter === undefined ? [] : [`retry-after: ${error.retryAfter}`]),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
