import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpError, type TokenClaim } from '../../model/index.js';
import type { HubOptions } from '../types.js';

/**
 * Admits a viewer by `token`, with the token's claims; the session decides whether it is in force. The store is queried
 * only for tokens that the service has made.
 * @throws HttpError if the viewer is refused
 */
export async function admit(
  sessionId: string,
  token: string,
  { find, verify }: Pick<HubOptions, 'find' | 'verify'>,
): Promise<TokenClaim> {
  const claim = verify(sessionId, token);
  if (claim === null) throw new HttpError('invalid_token');
  const status = await find(sessionId);
  if (status === 'unknown') throw new HttpError('session_not_found');
  if (status === 'ended') throw new HttpError('session_ended');
  return claim;
}

const STREAM_PATH = /^\/s\/([\w-]{1,64})\/stream$/;

/** What a viewer's upgrade request asks for. */
export interface StreamRequest {
  sessionId: string;
  token: string;
  /** The version of the messages to viewers that its page understands. */
  version: number;
}

/** What is in the address of a viewer's upgrade request; null if its path is not that of a stream. */
export function parseStreamUrl(url: string): StreamRequest | null {
  if (!url.startsWith('/') || !URL.canParse(url, 'http://service')) return null;
  const { pathname, searchParams } = new URL(url, 'http://service');
  const sessionId = STREAM_PATH.exec(pathname)?.[1];
  if (sessionId === undefined) return null;
  // Pages from before there were versions do not say one.
  return { sessionId, token: searchParams.get('token') ?? '', version: Number(searchParams.get('v') ?? 1) };
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
