import { join } from 'node:path';
import { json } from '../table/description.js';
import { operation } from '../table/operation.js';
import { SESSION_ID } from './common.js';

const common = {
  method: 'get',
  tag: 'Session address',
  credential: 'embedToken',
  parameters: [SESSION_ID],
  errors: ['invalid_token', 'session_not_found', 'session_ended'],
} as const;

/** A session's own address: the player page, and the session's state for web clients. */
export const player = [
  operation({
    ...common,
    path: '/s/{session_id}',
    id: 'openPlayer',
    summary: 'The player page',
    description: 'What `embed_url` leads to. May be framed by any page.',
    parameters: [
      SESSION_ID,
      {
        name: 'no_cbor',
        in: 'query',
        description: "Whatever its value: the module that the hosted service's own web client loads, not the page.",
        schema: { type: 'string' },
      },
    ],
    answers: {
      200: {
        description: 'The page, or the module.',
        content: { 'text/html': { schema: { type: 'string' } }, 'text/javascript': { schema: { type: 'string' } } },
      },
    },
    audit: 'player.open',
    handle:
      ({ webFolder }) =>
      ({ request, response }) => {
        const file = request.query['no_cbor'] === undefined ? 'player.html' : 'hosted.js';
        response.set('cache-control', 'no-store').sendFile(join(webFolder, file), { cacheControl: false });
      },
  }),
  operation({
    ...common,
    path: '/s/{session_id}/status',
    id: 'readStatus',
    summary: 'Read the session state',
    description:
      'Answers as an upgrade to the stream would, for pages that cannot read why one failed. A session that was just ' +
      'started is `starting`, or already `running`.',
    answers: {
      200: json(
        'The state of the session, as viewers are told.',
        {
          type: 'object',
          required: ['state'],
          properties: { state: { enum: ['starting', 'running', 'restarting'] } },
        },
        { state: 'running' },
      ),
    },
    // Pages poll this, and are recorded when they connect.
    audit: null,
    handle:
      ({ sessions }) =>
      ({ session, response }) =>
        void response.set('cache-control', 'no-store').json({ state: sessions.status(session) }),
  }),
];
