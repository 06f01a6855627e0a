import type { Request } from 'express';
import type { SessionUpload } from '../../../../protocol/generated/schemas.js';
import { validator } from '../../../../protocol/validation.js';
import { HttpError, mayUpload } from '../../../model/index.js';
import { checkLength, limitedBody } from '../../bodies/limited.js';
import { streamedBody } from '../../table/body.js';
import { json, type Parameter } from '../../table/description.js';
import { operation } from '../../table/operation.js';
import { agentJson, askAgent } from '../agent.js';
import { SESSION_ID } from '../parameters.js';
import { BINARY, common, ERRORS, FILE, requireUploads } from './common.js';

const name: Parameter = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Name of the file, as pages see it; unsafe characters are replaced.',
  schema: { type: 'string' },
};

const isUpload = validator<SessionUpload>('answers.json#/$defs/upload');

/** Files uploaded to a session, for its file choosers and drops. */
export const uploads = [
  operation({
    ...common,
    method: 'post',
    path: '/s/{session_id}/uploads/{name}',
    id: 'upload',
    summary: 'Bring a file into the session',
    description:
      'Viewers need the roles `file_upload` and `control`, and control that nobody else has taken. The file is then available to `files.choose`, `files.drop` and in the file dialogs of the session, until the session ends or 100 newer ones have come.',
    need: { test: mayUpload, message: 'Uploads need the roles file_upload and control.', control: true },
    parameters: [SESSION_ID, name],
    body: streamedBody(BINARY, 'The file as it is, whatever its type.'),
    answers: { 201: json('The file is in the session.', 'answers.json#/$defs/upload', { id: FILE }) },
    errors: [...ERRORS, 'control_taken', 'body_too_large', 'no_room'],
    audit: 'file.upload',
    handle: ({ sessions: { hub }, uploadMaxBytes: maxBytes }) => {
      const tooLarge = `A file may have at most ${Math.floor(maxBytes / 2 ** 20)} MiB.`;
      return async ({ session, request, response }) => {
        requireUploads(session);
        checkLength(request, maxBytes, tooLarge);
        const answer = await askAgent(hub, session.id, {
          method: 'POST',
          path: `/uploads/${encodeURIComponent(request.params.name)}`,
          headers: { 'content-type': 'application/octet-stream', ...lengthOf(request) },
          body: limitedBody(request, maxBytes, tooLarge),
        });
        const upload = isUpload(await agentJson(answer));
        if (!upload.ok) throw new HttpError('agent_failed');
        const { id } = upload.value;
        response
          .status(201)
          .set('cache-control', 'no-store')
          .json({ id } satisfies SessionUpload);
      };
    },
  }),
];

/** The agent is told the size, if the caller announces it. */
function lengthOf({ headers }: Pick<Request, 'headers'>): Record<string, string> {
  const length = headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}
