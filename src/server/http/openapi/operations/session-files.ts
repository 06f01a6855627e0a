import { json, type Operation, type Parameter } from '../operation.js';
import { SESSION_ID } from './parameters.js';
import { ADMIN_ERRORS, AGENT_ERRORS } from './session-errors.js';

const TAG = 'Session files';
const FILE = 'kx1M3q8cJ6Zp0aVt';
const BINARY = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

const file: Parameter = {
  name: 'file',
  in: 'path',
  required: true,
  description: 'ID of the file, from the list or a `download` message.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
};

const name: Parameter = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Name of the file, as pages see it; what is unsafe in a name is replaced.',
  schema: { type: 'string' },
};

const common = {
  tag: TAG,
  security: ['ticket', 'adminToken', 'apiKey'],
} as const;

const ERRORS = [...ADMIN_ERRORS, ...AGENT_ERRORS, 'ticket_invalid', 'role_required', 'not_a_browser'] as const;

/** Files between viewers and the session. */
export const files: readonly Operation[] = [
  {
    ...common,
    method: 'get',
    path: '/s/{session_id}/downloads',
    id: 'listDownloads',
    summary: 'List what was downloaded in the session',
    description: 'Viewers need the role `file_download`. The last 100 files are kept, as long as there is room.',
    parameters: [SESSION_ID],
    answers: {
      200: json('Oldest first.', 'answers.json#/$defs/downloads', { downloads: [{ id: FILE, name: 'report.pdf', size: 48_211 }] }),
    },
    errors: ERRORS,
  },
  {
    ...common,
    method: 'get',
    path: '/s/{session_id}/downloads/{file}',
    id: 'download',
    summary: 'Fetch a file that was downloaded in the session',
    description: 'Viewers need the role `file_download`. The answer is always an attachment, never shown or run.',
    parameters: [SESSION_ID, file],
    answers: { 200: { description: 'The file, with its name in `content-disposition`.', content: BINARY } },
    errors: [...ERRORS, 'download_not_found'],
  },
  {
    ...common,
    method: 'post',
    path: '/s/{session_id}/uploads/{name}',
    id: 'upload',
    summary: 'Bring a file into the session',
    description:
      'Viewers need the roles `file_upload` and `control`. The file is then there for `files.choose`, `files.drop` and in the file dialogs of the session, until the session ends or 100 newer ones have come.',
    parameters: [SESSION_ID, name],
    body: { description: 'The file as it is, whatever its type.', required: true, content: BINARY },
    answers: { 201: json('The file is in the session.', 'answers.json#/$defs/upload', { id: FILE }) },
    errors: [...ERRORS, 'body_too_large', 'no_room'],
  },
];
