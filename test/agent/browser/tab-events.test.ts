import t from 'tap';
import { TabEvents } from '../../../src/agent/browser/tabs/tab-events.js';
import type { SessionEvent } from '../../../src/protocol/generated/schemas.js';
import { until } from '../../fixtures/until.js';

t.test('events are sent at once up to a size and a number, the rest later and in order', async t => {
  const told: SessionEvent[] = [];
  const events = new TabEvents(
    event => void told.push(event),
    () => t.fail('nothing is left out'),
  );
  t.teardown(() => events.stop());
  for (let i = 0; i < 50; i++) events.offer('tabs.onUpdated', [i, { id: 'x'.repeat(50_000) }]);
  t.ok(told.length > 40 && told.length < 45, `${told.length} at once`);
  await until('the others', () => told.length === 50);
  t.same(
    told.map(({ args }) => args[0]),
    Array.from({ length: 50 }, (_, i) => i),
  );
});
