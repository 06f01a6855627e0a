import { json, type Operation } from '../operation.js';
import { SESSION_ID } from './parameters.js';
import { ADMIN_ERRORS, AGENT_ERRORS } from './session-errors.js';

const TAG = 'Session calls';
const common = { tag: TAG, security: ['adminToken', 'apiKey'], parameters: [SESSION_ID] } as const;
const BOOKMARKS = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://example.com/">Example</A></DL>';

/** What concerns a session as a whole. */
export const control: readonly Operation[] = [
  {
    ...common,
    method: 'post',
    path: '/s/{session_id}/timeout',
    id: 'changeTimeouts',
    summary: 'Change timeouts',
    description: 'Timeouts that are left out keep their value. All counters begin anew, unless `reset` is false.',
    body: {
      required: false,
      content: { 'application/json': { schema: 'session-calls.json#/$defs/timeout', example: { inactive: 600, absolute: null } } },
    },
    answers: {
      200: json('The timeouts in force.', 'session-calls.json#/$defs/timeouts', {
        absolute: null,
        inactive: 600,
        offline: 3600,
        warning: 60,
      }),
    },
    errors: ['invalid_body', 'invalid_json', 'body_too_large', 'unsupported_media_type', ...ADMIN_ERRORS],
  },
  {
    ...common,
    method: 'post',
    path: '/s/{session_id}/ping',
    id: 'ping',
    summary: 'Restart the count of inactivity',
    answers: { 200: json('It counts anew.', { type: 'object' }, {}) },
    errors: ADMIN_ERRORS,
  },
  {
    ...common,
    method: 'post',
    path: '/s/{session_id}/tokens',
    id: 'renewTokens',
    summary: 'Revoke and renew tokens',
    description:
      'Other tokens take the place of those that are in force, which are good for nothing from then on. Viewers who ' +
      'came with the embed token, where that is renewed, and those who have shown the admin token, where that is, are ' +
      'disconnected with `unauthorized` (4401), upon which they do not come back; `keep_viewers` lets them stay. The ' +
      'answer has both tokens that are in force, as a start has.',
    body: {
      required: false,
      content: { 'application/json': { schema: 'session-calls.json#/$defs/tokens', example: { embed: true } } },
    },
    answers: {
      200: json('The tokens in force.', 'answers.json#/$defs/created', {
        session_id: 'pJ0cCqVUQmCKvYfUTxcNrg',
        embed_url: 'https://berth.example.com/s/pJ0cCqVUQmCKvYfUTxcNrg?token=1.Pzx4…',
        admin_token: '8Y9w…',
      }),
    },
    errors: ['invalid_body', 'invalid_json', 'body_too_large', 'unsupported_media_type', ...ADMIN_ERRORS],
  },
  {
    ...common,
    method: 'post',
    path: '/s/{session_id}/bookmarks',
    id: 'appendBookmarks',
    summary: 'Append bookmarks',
    description: 'A Netscape bookmark file, as browsers export it, at most 5 MB.',
    body: { required: true, content: { 'text/html': { schema: { type: 'string' }, example: BOOKMARKS } } },
    answers: { 200: json('How many were added.', 'session-calls.json#/$defs/bookmarks', { appended: 1 }) },
    errors: ['body_too_large', 'unsupported_media_type', 'not_a_browser', ...ADMIN_ERRORS, ...AGENT_ERRORS],
  },
  {
    ...common,
    security: ['ticket', ...common.security],
    method: 'get',
    path: '/s/{session_id}/screenshot',
    id: 'takeScreenshot',
    summary: 'Take a picture of the display',
    query: 'queries.json#/$defs/screenshot',
    answers: { 200: { description: 'The display.', content: { 'image/png': { schema: { type: 'string' } } } } },
    errors: ['invalid_query', 'ticket_invalid', ...ADMIN_ERRORS, ...AGENT_ERRORS],
  },
];
