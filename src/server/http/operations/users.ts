import type { SessionUsers } from '../../../protocol/generated/schemas.js';
import { json } from '../table/description.js';
import { operation } from '../table/operation.js';
import { ADMIN_ERRORS } from './common.js';
import { SESSION_ID } from './common.js';

const common = { tag: 'Session calls', credential: 'admin' } as const;

/** The users of a session. */
export const users = [
  operation({
    ...common,
    method: 'get',
    path: '/s/{session_id}/users',
    id: 'listUsers',
    summary: 'List connected users',
    parameters: [SESSION_ID],
    answers: {
      200: json('In the order in which they joined.', 'session-calls.json#/$defs/users', [
        {
          user_id: '0b6e1c1e-6f0b-4b52-9f0e-5d6a5a2c7b11',
          name: 'Ada',
          color: '#7048e8',
          connected_at: '2026-01-31T09:31:12.000Z',
          admin: false,
          roles: ['chrome_apis', 'resize', 'control'],
          permissions: { priority: 0, idle_timeout: 0, control_disabled: false, control_exclusive: false },
          ip: '203.0.113.7',
          user_agent: 'Mozilla/5.0',
        },
      ]),
    },
    errors: ADMIN_ERRORS,
    audit: 'users.list',
    handle:
      ({ sessions }) =>
      ({ session, response }) => {
        const users: SessionUsers = sessions.connection(session.id).room.listUsers();
        response.set('cache-control', 'no-store').json(users);
      },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/s/{session_id}/users/{user_id}',
    id: 'disconnectUser',
    summary: 'Disconnect a user',
    description: 'The user is told, and may reconnect: this is not a ban.',
    parameters: [
      SESSION_ID,
      {
        name: 'user_id',
        in: 'path',
        required: true,
        description: 'ID of the user.',
        schema: 'session-calls.json#/$defs/user_id',
      },
    ],
    answers: { 200: json('The user is disconnected.', { type: 'object' }, {}) },
    errors: [...ADMIN_ERRORS, 'user_not_found'],
    audit: 'user.disconnect',
    handle:
      ({ sessions }) =>
      ({ session, request, response }) => {
        sessions.connection(session.id).room.users.kick(request.params.user_id);
        response.json({});
      },
  }),
];
