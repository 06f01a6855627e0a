import { pipeline } from 'node:stream/promises';
import type { Download, SessionDownloads } from '../../../../protocol/generated/schemas.js';
import { validator } from '../../../../protocol/validation.js';
import { HttpError, mayDownload } from '../../../model/index.js';
import { json, type Parameter } from '../../table/description.js';
import { operation } from '../../table/operation.js';
import { agentJson, askAgent } from '../agent.js';
import { SESSION_ID } from '../parameters.js';
import { BINARY, common, ERRORS, FILE, requireDownloads } from './common.js';

const need = { test: mayDownload, message: 'Downloads need the role file_download.' };

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
    need,
    parameters: [SESSION_ID],
    answers: {
      200: json('Oldest first.', 'answers.json#/$defs/downloads', {
        downloads: [{ id: FILE, name: 'report.pdf', size: 48_211 }],
      }),
    },
    errors: ERRORS,
    audit: 'files.list',
    handle:
      ({ sessions: { hub } }) =>
      async ({ session, response }) => {
        requireDownloads(session);
        const answer = (await agentJson(await askAgent(hub, session.id, { method: 'GET', path: '/downloads' }))) as {
          downloads?: unknown;
        };
        const downloads = (Array.isArray(answer.downloads) ? answer.downloads : []).flatMap(listed);
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
    need,
    parameters: [SESSION_ID, file],
    answers: { 200: { description: 'The file, with its name in `content-disposition`.', content: BINARY } },
    errors: [...ERRORS, 'download_not_found'],
    audit: 'file.download',
    handle:
      ({ sessions: { hub } }) =>
      async ({ session, request, response }) => {
        requireDownloads(session);
        const { file } = request.params;
        if (!isId.test(file)) throw new HttpError('download_not_found');
        const source = await askAgent(hub, session.id, { method: 'GET', path: `/downloads/${file}` });
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
