import { pipeline } from 'node:stream/promises';
import type { ScreenshotQuery } from '../../../protocol/generated/schemas.js';
import { operation, query } from '../table/operation.js';
import { askAgent } from './agent.js';
import { ADMIN_ERRORS, AGENT_ERRORS } from './common.js';
import { SESSION_ID } from './common.js';

/** The display as PNG, for everybody who may see it. */
export const screenshot = [
  operation({
    method: 'get',
    path: '/s/{session_id}/screenshot',
    id: 'takeScreenshot',
    tag: 'Session calls',
    summary: 'Take a screenshot',
    credential: 'viewer',
    parameters: [SESSION_ID],
    query: query<ScreenshotQuery>('queries.json#/$defs/screenshot'),
    answers: {
      200: { description: 'The display.', content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } },
    },
    errors: ['invalid_query', 'ticket_invalid', 'privacy_mode', ...ADMIN_ERRORS, ...AGENT_ERRORS],
    audit: 'screenshot.read',
    handle:
      ({ sessions }) =>
      async ({ session: { id }, query: { width }, response }) => {
        const gone = new AbortController();
        response.once('close', () => gone.abort());
        const answer = await askAgent(sessions.connection(id).http, {
          method: 'GET',
          path: width === undefined ? '/screenshot' : `/screenshot?width=${width}`,
          signal: gone.signal,
        });
        response.set({ 'cache-control': 'no-store', 'content-type': 'image/png' });
        // A caller that is cut off notices the missing end; there is nobody else to tell.
        await pipeline(answer, response).catch(() => response.destroy());
      },
  }),
];
