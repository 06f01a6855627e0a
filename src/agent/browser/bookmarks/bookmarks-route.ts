import type { Readable } from 'node:stream';
import { bodyOf } from '../../link/body.js';
import { CallFailure } from '../../link/calls.js';
import { answer, RouteError, type Route } from '../../link/routes.js';
import { parseBookmarks } from './bookmarks.js';
import type { ExtensionChannel } from '../extension/extension-channel.js';

const BOOKMARKS_MAX_BYTES = 5 << 20;

/** Milliseconds; enough for tens of thousands of bookmarks. */
const APPEND_TIMEOUT = 25_000;

/** `POST /bookmarks`: appends the bookmarks of a Netscape bookmark file; answers how many. */
export function bookmarksRoute(extension: ExtensionChannel): Route {
  return {
    method: 'POST',
    path: '/bookmarks',
    async handle({ request, response }) {
      const bookmarks = parseBookmarks(await textOf(bodyOf(request)));
      try {
        answer(response, 200, { appended: await extension.call('bookmarks.append', [bookmarks], APPEND_TIMEOUT) });
      } catch (error) {
        if (error instanceof CallFailure) throw new RouteError(503, error.code, error.message);
        throw error;
      }
    },
  };
}

async function textOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > BOOKMARKS_MAX_BYTES) throw new RouteError(413, 'too_large', 'Bookmarks may be at most 5 MB.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
