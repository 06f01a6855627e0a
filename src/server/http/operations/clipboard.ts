import { pipeline } from 'node:stream/promises';
import { CONTENT_FORM_MAX_BYTES, PICTURE_MAX_BYTES } from '../../../protocol/message-type.js';
import { HttpError, NEEDS, requireCapability } from '../../model/index.js';
import { checkLength, limitedBody } from '../bodies/limited.js';
import { streamedBody } from '../table/body.js';
import type { Parameter } from '../table/description.js';
import { operation } from '../table/operation.js';
import { askAgent } from './agent.js';
import { ADMIN_ERRORS, AGENT_ERRORS, SESSION_ID } from './common.js';

const ERRORS = [...ADMIN_ERRORS, ...AGENT_ERRORS, 'ticket_invalid', 'role_required', 'not_a_browser'] as const;

const NUMBER = '^[1-9][0-9]{0,9}$';
const isNumber = new RegExp(NUMBER);

const picture: Parameter = {
  name: 'picture',
  in: 'path',
  required: true,
  description: 'Number of the picture, from a `clipboard` message.',
  schema: { type: 'string', pattern: NUMBER },
};

const FORM = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      properties: {
        text: { type: 'string', description: 'Plain text, at most 1 MiB.' },
        html: { type: 'string', description: 'The same as HTML, at most 1 MiB.' },
        png: { type: 'string', format: 'binary', description: 'The same as a PNG, at most 10 MiB and 64 megapixels.' },
      },
    },
  },
};

const TOO_LARGE = 'The clipboard takes at most 1 MiB of text, 1 MiB of HTML and a PNG of 10 MiB.';

/** The clipboard of a browser: what is too large for viewers' sockets. */
export const clipboard = [
  operation({
    method: 'post',
    path: '/s/{session_id}/clipboard',
    id: 'setClipboard',
    tag: 'Session calls',
    summary: "Set the browser's clipboard",
    description:
      'The same content as text, HTML and picture, or some of them. Viewers need the role `control`, and control that nobody else has taken. Pasting it is up to keys, or to the page.',
    credential: 'viewer',
    need: { ...NEEDS.paste, control: true },
    parameters: [SESSION_ID],
    body: streamedBody(FORM, 'A form with `text`, `html` and `png`, each optional.'),
    answers: { 204: { description: 'Programs in the session can paste it now.' } },
    errors: [...ERRORS, 'control_taken', 'body_too_large', 'clipboard_invalid'],
    audit: 'clipboard.set',
    handle:
      ({ sessions }) =>
      async ({ session, request, response }) => {
        requireCapability(session.launch.kind, 'browser');
        checkLength(request, CONTENT_FORM_MAX_BYTES, TOO_LARGE);
        const answer = await askAgent(sessions.connection(session.id).http, {
          method: 'PUT',
          path: '/clipboard',
          headers: { 'content-type': request.headers['content-type'] ?? '' },
          body: limitedBody(request, CONTENT_FORM_MAX_BYTES, TOO_LARGE),
        });
        answer.resume();
        response.status(204).end();
      },
  }),
  operation({
    method: 'get',
    path: '/s/{session_id}/clipboard/{picture}',
    id: 'copiedPicture',
    tag: 'Session calls',
    summary: 'Fetch a picture that was copied in the browser',
    description: 'Viewers need the role `clipboard_copy`. Only the picture that was copied last is kept.',
    credential: 'viewer',
    need: NEEDS.copy,
    parameters: [SESSION_ID, picture],
    answers: {
      200: { description: 'The picture.', content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
    },
    errors: [...ERRORS, 'picture_not_found'],
    audit: 'clipboard.read',
    handle:
      ({ sessions }) =>
      async ({ session, request, response }) => {
        requireCapability(session.launch.kind, 'browser');
        if (!isNumber.test(request.params.picture)) throw new HttpError('picture_not_found');
        const source = await askAgent(sessions.connection(session.id).http, {
          method: 'GET',
          path: `/clipboard/${request.params.picture}`,
        });
        const { 'content-length': length = '' } = source.headers;
        if (!/^\d{1,8}$/.test(length) || Number(length) > PICTURE_MAX_BYTES) throw new HttpError('agent_failed');
        response.set({
          'content-type': 'image/png',
          'content-length': length,
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        });
        await pipeline(source, response).catch(() => response.destroy());
      },
  }),
];
