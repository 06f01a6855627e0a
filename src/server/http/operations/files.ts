import type { Request, Response } from 'express';
import { pipeline } from 'node:stream/promises';
import type { Download, SessionDownloads, SessionUpload, UploadQuery } from '../../../protocol/generated/schemas.js';
import { validator } from '../../../protocol/validation.js';
import { type AgentAnswer, HttpError, NEEDS, requireCapability } from '../../model/index.js';
import { checkLength, limitedBody } from '../bodies/limited.js';
import { streamedBody } from '../table/body.js';
import { json, type Parameter } from '../table/description.js';
import { operation, query } from '../table/operation.js';
import { agentJson, askAgent } from './agent.js';
import { ADMIN_ERRORS, AGENT_ERRORS, SESSION_ID } from './common.js';

/** A file for examples. */
const FILE = 'kx1M3q8cJ6Zp0aVt';

const BINARY = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

/** The common part of all operations with files. */
const common = { tag: 'Session files', credential: 'viewer' } as const;

const ERRORS = [
  ...ADMIN_ERRORS,
  ...AGENT_ERRORS,
  'ticket_invalid',
  'role_required',
  'privacy_mode',
  'not_a_browser',
] as const;

/** Format of a file's ID; nothing else reaches the agent. */
const ID = '^[A-Za-z0-9_-]{1,64}$';
const isId = new RegExp(ID);

const file: Parameter = {
  name: 'file',
  in: 'path',
  required: true,
  description: 'ID of the file, from the list or a `download` message.',
  schema: { type: 'string', pattern: ID },
};

/** The service does not trust the container: only a header of this form is passed on. */
const DISPOSITION = /^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[\w.!~%-]*$/;

/** Files come from anywhere: none may run or be displayed on this origin. */
const INERT = { 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' };

const isDownload = validator<Download>('link.json#/$defs/download');

/** Files downloaded in a session. */
export const downloads = [
  operation({
    ...common,
    method: 'get',
    path: '/s/{session_id}/downloads',
    id: 'listDownloads',
    summary: 'List what was downloaded in the session',
    description: 'Viewers need the role `file_download`. The last 100 files are kept, as long as there is room.',
    need: NEEDS.download,
    parameters: [SESSION_ID],
    answers: {
      200: json('Oldest first.', 'answers.json#/$defs/downloads', {
        downloads: [{ id: FILE, name: 'report.pdf', size: 48_211 }],
      }),
    },
    errors: ERRORS,
    audit: 'files.list',
    handle:
      ({ sessions }) =>
      async ({ session, response }) => {
        requireCapability(session.launch.kind, 'browser');
        const { http, room } = sessions.connection(session.id);
        const answer = (await agentJson(await askAgent(http, { method: 'GET', path: '/downloads' }))) as {
          downloads?: unknown;
        };
        const all = (Array.isArray(answer.downloads) ? answer.downloads : []).flatMap(listed);
        const downloads = all.filter(({ id }) => !room.withholds(id));
        response.set('cache-control', 'no-store').json({ downloads } satisfies SessionDownloads);
      },
  }),
  operation({
    ...common,
    method: 'get',
    path: '/s/{session_id}/downloads/{file}',
    id: 'download',
    summary: 'Fetch a file that was downloaded in the session',
    description: 'Viewers need the role `file_download`. The answer is always an attachment, never shown or run.',
    need: NEEDS.download,
    parameters: [SESSION_ID, file],
    answers: { 200: { description: 'The file, with its name in `content-disposition`.', content: BINARY } },
    errors: [...ERRORS, 'download_not_found'],
    audit: 'file.download',
    handle:
      ({ sessions }) =>
      async ({ session, request, response }) => {
        requireCapability(session.launch.kind, 'browser');
        const { file } = request.params;
        const { http, room } = sessions.connection(session.id);
        if (!isId.test(file) || room.withholds(file)) throw new HttpError('download_not_found');
        const source = await askAgent(http, {
          method: 'GET',
          path: `/downloads/${file}`,
        });
        const { 'content-disposition': disposition = '', 'content-length': length = '' } = source.headers;
        response.set({
          ...INERT,
          'content-type': 'application/octet-stream',
          'content-disposition': DISPOSITION.test(disposition) ? disposition : 'attachment',
          'cache-control': 'no-store',
          ...(/^\d{1,15}$/.test(length) ? { 'content-length': length } : {}),
        });
        // A caller that disconnected, or a container that did, is not the service's fault.
        await pipeline(source, response).catch(() => response.destroy());
      },
  }),
];

function listed(download: unknown): SessionDownloads['downloads'] {
  const result = isDownload(download);
  if (!result.ok) return [];
  const { id, name, size } = result.value;
  return [{ id, name, size }];
}

const name: Parameter = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Name of the file, as pages see it; unsafe characters are replaced.',
  schema: { type: 'string' },
};

const isUpload = validator<SessionUpload>('answers.json#/$defs/upload');

const UPLOADER = {
  ...common,
  need: { ...NEEDS.upload, control: true },
} as const;
const UPLOAD_ERRORS = [...ERRORS, 'control_taken', 'no_room'] as const;

/** Files and folders uploaded to a session, for its file choosers and drops. */
export const uploads = [
  operation({
    ...UPLOADER,
    method: 'post',
    path: '/s/{session_id}/uploads/{name}',
    id: 'upload',
    summary: 'Bring a file into the session',
    description:
      'Viewers need the roles `file_upload` and `control`, and control that nobody else has taken. The file is then available to `files.choose`, `files.drop` and in the file dialogs of the session, until the session ends or 100 newer ones have come.',
    parameters: [SESSION_ID, name],
    query: query<UploadQuery>('queries.json#/$defs/upload'),
    body: streamedBody(BINARY, 'The file as it is, whatever its type.'),
    answers: { 201: json('The file is now in the session.', 'answers.json#/$defs/upload', { id: FILE }) },
    errors: [...UPLOAD_ERRORS, 'body_too_large', 'invalid_query', 'upload_not_found'],
    audit: 'file.upload',
    handle: ({ sessions, uploadMaxBytes: maxBytes }) => {
      const tooLarge = `A file may be at most ${Math.floor(maxBytes / 2 ** 20)} MiB.`;
      return async ({ session, request, query, response }) => {
        requireCapability(session.launch.kind, 'uploads');
        const place = new URLSearchParams(Object.entries(query)).toString();
        checkLength(request, maxBytes, tooLarge);
        const answer = await askAgent(sessions.connection(session.id).http, {
          method: 'POST',
          path: `/uploads/${encodeURIComponent(request.params.name)}${place === '' ? '' : `?${place}`}`,
          headers: { 'content-type': 'application/octet-stream', ...lengthOf(request) },
          body: limitedBody(request, maxBytes, tooLarge),
        });
        await answerUpload(answer, response);
      };
    },
  }),
  operation({
    ...UPLOADER,
    method: 'post',
    path: '/s/{session_id}/folders/{name}',
    id: 'createFolder',
    summary: 'Make a folder in the session',
    description:
      'For pages that ask for one, and for drops: uploads with its ID as `folder` go into it, at most 5000, then `files.choose` or `files.drop` hand it over. It counts as one upload.',
    parameters: [SESSION_ID, { ...name, description: 'Name of the folder; unsafe characters are replaced.' }],
    answers: { 201: json('The folder is now in the session, empty.', 'answers.json#/$defs/upload', { id: FILE }) },
    errors: [...UPLOAD_ERRORS],
    audit: 'folder.create',
    handle:
      ({ sessions }) =>
      async ({ session, request, response }) => {
        requireCapability(session.launch.kind, 'browser');
        const path = `/folders/${encodeURIComponent(request.params.name)}`;
        await answerUpload(await askAgent(sessions.connection(session.id).http, { method: 'POST', path }), response);
      },
  }),
];

/** Answers with the ID that the agent gave an upload. @throws HttpError */
async function answerUpload(answer: AgentAnswer, response: Response): Promise<void> {
  const upload = isUpload(await agentJson(answer));
  if (!upload.ok) throw new HttpError('agent_failed');
  const { id } = upload.value;
  response
    .status(201)
    .set('cache-control', 'no-store')
    .json({ id } satisfies SessionUpload);
}

/** The agent is told the size, if the caller announces it. */
function lengthOf({ headers }: Pick<Request, 'headers'>): Record<string, string> {
  const length = headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}
