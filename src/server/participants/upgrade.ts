import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../../protocol/generated/schemas.js';
import type { Refusal } from './admission.js';

const STREAM_PATH = /^\/s\/([\w-]{1,64})\/stream$/;

/** Session and token of a viewer's upgrade request; null where its address is not that of a stream. */
export function parseStreamUrl(url: string): { sessionId: string; token: string } | null {
  if (!url.startsWith('/') || !URL.canParse(url, 'http://service')) return null;
  const { pathname, searchParams } = new URL(url, 'http://service');
  const sessionId = STREAM_PATH.exec(pathname)?.[1];
  return sessionId === undefined ? null : { sessionId, token: searchParams.get('token') ?? '' };
}

/** Answers an upgrade request with an error of the REST interface, and closes the connection. */
export function refuse(socket: Duplex, { status, code, message }: Refusal): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify({ code, message } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
    ...(status === 429 || status === 503 ? ['retry-after: 1'] : []),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
