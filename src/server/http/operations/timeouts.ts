import type { TimeoutChange } from '../../../protocol/generated/schemas.js';
import { HttpError, timeoutsInForce } from '../../model/index.js';
import { note } from '../middleware/audit.js';
import { jsonBody } from '../table/body.js';
import { json } from '../table/description.js';
import { operation } from '../table/operation.js';
import { ADMIN_ERRORS, JSON_ERRORS } from './common.js';
import { SESSION_ID } from './common.js';

const common = { method: 'post', tag: 'Session calls', credential: 'admin', parameters: [SESSION_ID] } as const;

/** How long a session continues. */
export const timeouts = [
  operation({
    ...common,
    path: '/s/{session_id}/timeout',
    id: 'changeTimeouts',
    summary: 'Change timeouts',
    description:
      'Timeouts that are left out keep their value. All counters restart, unless `reset` is false. A changed timeout never ends a session before the moment of the change: one that would have expired already does so at once, without a warning.',
    body: jsonBody<TimeoutChange>('session-calls.json#/$defs/timeout', {
      required: false,
      example: { inactive: 600, absolute: null },
    }),
    answers: {
      200: json('The timeouts in force.', 'session-calls.json#/$defs/timeouts', {
        absolute: null,
        inactive: 600,
        offline: 3600,
        warning: 60,
      }),
    },
    errors: [...JSON_ERRORS, ...ADMIN_ERRORS],
    audit: 'timeouts.change',
    handle:
      ({ sessions }) =>
      async ({ session: { id }, body, response }) => {
        const session = await sessions.changeTimeouts(id, body);
        if (session === null) throw new HttpError('agent_lost');
        const timeouts = timeoutsInForce(session.timeouts);
        note(response, { timeouts });
        response.json(timeouts);
      },
  }),
  operation({
    ...common,
    path: '/s/{session_id}/ping',
    id: 'ping',
    summary: 'Reset the inactivity timeout',
    answers: { 200: json('The timeout was reset.', { type: 'object' }, {}) },
    errors: ADMIN_ERRORS,
    // It changes nothing, and is called all the time.
    audit: null,
    handle:
      ({ sessions }) =>
      ({ session, response }) => {
        sessions.keepAlive(session.id);
        response.json({});
      },
  }),
];
