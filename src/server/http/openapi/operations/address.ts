import { json, type Operation } from '../operation.js';
import { SESSION_ID } from './parameters.js';

const TAG = 'Session address';

/** What a session's own address answers to web clients. */
export const address: readonly Operation[] = [
  {
    method: 'get',
    path: '/s/{session_id}',
    id: 'openPlayer',
    tag: TAG,
    summary: 'The player page',
    description: 'What `embed_url` leads to. May be framed by any page.',
    security: ['embedToken'],
    parameters: [SESSION_ID],
    answers: { 200: { description: 'The page.', content: { 'text/html': { schema: { type: 'string' } } } } },
    errors: ['invalid_token', 'session_not_found', 'session_ended'],
  },
  {
    method: 'get',
    path: '/s/{session_id}/status',
    id: 'readStatus',
    tag: TAG,
    summary: 'What the session does',
    description: 'Answers as an upgrade to the stream would, for pages that cannot read why one failed.',
    security: ['embedToken'],
    parameters: [SESSION_ID],
    answers: {
      200: json(
        'The state of the programs in the session.',
        {
          type: 'object',
          required: ['state'],
          properties: { state: { enum: ['idle', 'starting', 'running', 'restarting', 'failed'] } },
        },
        { state: 'running' },
      ),
    },
    errors: ['invalid_token', 'session_not_found', 'session_ended'],
  },
];
