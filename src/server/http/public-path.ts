import type { IncomingMessage, ServerResponse } from 'node:http';

/** The path of the service's public address, without a slash at its end; empty if there is none. */
export const publicPathOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/** Takes the public path off a request's address, if the proxy before the service has left it there. */
export function stripPublicPath(request: IncomingMessage, path: string): void {
  const { url = '' } = request;
  if (path !== '' && url.startsWith(`${path}/`)) request.url = url.slice(path.length);
}

/** Sends the public path itself on to the page below it, whose links are relative; returns whether it was that. */
export function redirectPublicPath({ url = '' }: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (path === '' || url.split('?', 1)[0] !== path) return false;
  response.writeHead(308, { location: `${path}/${url.slice(path.length)}`, 'content-length': 0 }).end();
  return true;
}
