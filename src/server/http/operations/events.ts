import type { EventsQuery, LifecycleEventName } from '../../../protocol/generated/schemas.js';
import { HttpError } from '../../model/index.js';
import { operation, query } from '../table/operation.js';
import { EXAMPLE_ID } from './common.js';

/** Numbers of events are integers. */
const EVENT_ID = /^(?:0|[1-9]\d{0,14})$/;
const HEADER = 'Last-Event-ID';

/** The event in an example of the feed. */
const EXAMPLE = {
  id: `${EXAMPLE_ID}-ended`,
  event: 'ended',
  session_id: EXAMPLE_ID,
  tenant_id: 'customer-17',
  date: '2026-01-31T10:12:47.113Z',
  reason: 'inactive',
};

/** The feed of events. */
export const events = [
  operation({
    method: 'get',
    path: '/v0/events',
    id: 'streamEvents',
    tag: 'Sessions',
    summary: 'Follow events',
    description:
      "Events of sessions as they happen, as server-sent events: `event` is the event's name, `data` a `LifecycleEvent`, `id` a number by which `Last-Event-ID` goes on after it. Without that header they begin with the next one; `0` gives all that are kept, which are those of the last 24 hours, at most 250,000. Where events after the given ID are not kept any more, the event `missed` comes first. Every 15 s without events, an `id` alone says how far the feed is. A reader that takes nothing for 30 s is disconnected.",
    credential: 'apiKey',
    query: query<EventsQuery>('queries.json#/$defs/events'),
    parameters: [
      {
        name: HEADER,
        in: 'header',
        description: 'The `id` of the last event that was received. Default: the newest one.',
        schema: { type: 'string', pattern: EVENT_ID.source },
      },
    ],
    answers: {
      200: {
        description: 'Events, without an end.',
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            example: `id: 1042\nevent: ended\ndata: ${JSON.stringify(EXAMPLE)}\n\n`,
          },
        },
      },
    },
    errors: ['invalid_query', 'unauthorized', 'capacity', 'stopping'],
    audit: 'events.read',
    handle:
      ({ feed }) =>
      async ({ query, request, response }) => {
        const after = positionOf(request.get(HEADER));
        // Otherwise it would be answered without an end.
        if (request.method === 'HEAD') return void response.type('text/event-stream').end();
        const { tenant_id: tenantId, session_id: sessionId } = query;
        const names = query.names?.split(',') as LifecycleEventName[] | undefined;
        await feed.read(response, { after, filter: { tenantId, sessionId, names } });
      },
  }),
];

/** The number in the header; null if it is missing or empty. @throws HttpError */
function positionOf(header: string | undefined): number | null {
  const text = header?.trim();
  if (text === undefined || text === '') return null;
  if (EVENT_ID.test(text)) return Number(text);
  const message = `must be the id of an event, a number of at most 15 digits`;
  throw new HttpError('bad_request', {
    message: `The header ${HEADER} ${message}.`,
    details: [{ path: HEADER, message }],
  });
}
