import t from 'tap';
import { EVENT_NAMES, events } from '../../../src/server/config/events.js';
import { schemas } from '../../../src/protocol/generated/schemas.js';

const URL = 'https://backend.example.com/events';

t.test('the names of the setting are those of the interface', async t => {
  const { $defs } = schemas['lifecycle-event.json'] as { $defs: { name: { enum: string[] } } };
  t.same(EVENT_NAMES, $defs.name.enum);
});

t.test('the service has no receiver of its own unless it is set', async t => {
  t.equal(events({}), null);
  t.same(events({ BERTH_EVENTS_URL: URL }), { url: URL, bearer: null, names: null });
  t.same(events({ BERTH_EVENTS_URL: URL, BERTH_EVENTS_BEARER: 'a secret', BERTH_EVENTS: 'ended, started' }), {
    url: URL,
    bearer: 'a secret',
    names: ['started', 'ended'],
  });
});

t.test('what is not valid is refused by name', async t => {
  t.throws(() => events({ BERTH_EVENTS: 'ended' }), /^BERTH_EVENTS needs BERTH_EVENTS_URL/);
  t.throws(() => events({ BERTH_EVENTS_BEARER: 'x' }), /^BERTH_EVENTS_BEARER needs BERTH_EVENTS_URL/);
  for (const url of ['ftp://example.com/', 'events', 'https://user:secret@example.com/'])
    t.throws(() => events({ BERTH_EVENTS_URL: url }), { message: /^BERTH_EVENTS_URL must be/ }, url);
  t.throws(() => events({ BERTH_EVENTS_URL: URL, BERTH_EVENTS_BEARER: 'a\nb' }), /^BERTH_EVENTS_BEARER must be/);
  t.throws(() => events({ BERTH_EVENTS_URL: URL, BERTH_EVENTS: 'ended,died' }), /holds "died"/);
});
