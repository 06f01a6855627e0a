import { Router } from 'express';
import type { BookmarksAppended } from '../../../protocol/generated/schemas.js';
import { validator } from '../../../protocol/validation.js';
import type { Hub } from '../../participants/index.js';
import { HttpError } from '../../model/index.js';
import { askAgent, readJson } from './agent.js';
import type { SessionGuard } from './guard.js';
import { checkLength, limitedBody } from './limited-body.js';

const MAX_BYTES = 5_000_000;
const TOO_LARGE = 'Bookmarks may have at most 5 MB.';
const isAppended = validator<BookmarksAppended>('session-calls.json#/$defs/bookmarks');

/** `POST /s/{id}/bookmarks`: appends the bookmarks of a Netscape bookmark file. */
export function sessionBookmarks(hub: Hub, guard: SessionGuard): Router {
  return Router().post('/s/:id/bookmarks', guard.required, async (request, response) => {
    const { id } = request.params;
    if (!request.is('text/html')) {
      throw new HttpError('unsupported_media_type', { message: 'Send the bookmarks as text/html.' });
    }
    checkLength(request, MAX_BYTES, TOO_LARGE);
    hub.requireBrowser(id);
    const answer = await askAgent(hub, id, {
      method: 'POST',
      path: '/bookmarks',
      headers: { 'content-type': 'text/html' },
      body: limitedBody(request, MAX_BYTES, TOO_LARGE),
    });
    const result = isAppended(await readJson(answer));
    if (!result.ok) throw new HttpError('agent_failed');
    response.json(result.value);
  });
}
