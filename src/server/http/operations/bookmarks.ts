import type { BookmarksAppended } from '../../../protocol/generated/schemas.js';
import { validator } from '../../../protocol/validation.js';
import { HttpError, requireCapability } from '../../model/index.js';
import { checkLength, limitedBody } from '../bodies/limited.js';
import { streamedBody } from '../table/body.js';
import { json } from '../table/description.js';
import { operation } from '../table/operation.js';
import { agentJson, askAgent } from './agent.js';
import { ADMIN_ERRORS, AGENT_ERRORS, SESSION_ID } from './common.js';

const TYPE = 'text/html';
/** Text, the default of curl, or no type at all: many clients name none. */
const TEXT = /^\s*($|text\/|application\/(xhtml\+xml|x-www-form-urlencoded)\s*(;|$))/i;
const MAX_BYTES = 5_000_000;
const TOO_LARGE = 'Bookmarks may be at most 5 MB.';
const EXAMPLE = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://example.com/">Example</A></DL>';
const isAppended = validator<BookmarksAppended>('session-calls.json#/$defs/bookmarks');

/** Adds bookmarks to a session's browser. */
export const bookmarks = [
  operation({
    method: 'post',
    path: '/s/{session_id}/bookmarks',
    id: 'appendBookmarks',
    tag: 'Session calls',
    summary: 'Append bookmarks',
    description: 'A Netscape bookmark file, as browsers export it, at most 5 MB.',
    credential: 'admin',
    parameters: [SESSION_ID],
    body: streamedBody({ [TYPE]: { schema: { type: 'string' }, example: EXAMPLE } }),
    answers: { 200: json('How many were added.', 'session-calls.json#/$defs/bookmarks', { appended: 1 }) },
    errors: [
      'body_too_large',
      'unsupported_media_type',
      'not_a_browser',
      'privacy_mode',
      ...ADMIN_ERRORS,
      ...AGENT_ERRORS,
    ],
    audit: 'bookmarks.add',
    handle:
      ({ sessions }) =>
      async ({ session: { id, launch, defaults }, request, response }) => {
        if (defaults.private !== undefined) throw new HttpError('privacy_mode');
        if (!TEXT.test(request.headers['content-type'] ?? '')) {
          throw new HttpError('unsupported_media_type', { message: 'Send the bookmarks as text/html.' });
        }
        checkLength(request, MAX_BYTES, TOO_LARGE);
        requireCapability(launch.kind, 'browser');
        const answer = await askAgent(sessions.connection(id).http, {
          method: 'POST',
          path: '/bookmarks',
          headers: { 'content-type': TYPE },
          body: limitedBody(request, MAX_BYTES, TOO_LARGE),
        });
        const result = isAppended(await agentJson(answer));
        if (!result.ok) throw new HttpError('agent_failed');
        const { appended } = result.value;
        response.json({ appended } satisfies BookmarksAppended);
      },
  }),
];
