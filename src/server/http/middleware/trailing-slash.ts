import type { RequestHandler } from 'express';

/** Pages whose files and links are relative to their address. */
const PAGES: ReadonlySet<string> = new Set(['openPlayer', 'readDocs']);

/** Sends a page's address with a slash at its end on to the one without, which its files are next to. */
export const withoutSlash: RequestHandler = (request, response, next) => {
  const { match, path } = request;
  if (!path.endsWith('/') || !PAGES.has(match?.operation.id ?? '')) return next();
  const name = path.split('/').at(-2) ?? '';
  response.set('cache-control', 'no-store').redirect(308, `../${name}${request.url.slice(path.length)}`);
};
