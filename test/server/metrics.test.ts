/** Names of metrics, which dashboards and alerts rely on. */
import t from 'tap';
import { createMetrics } from '../../src/server/metrics.js';

t.test('the warm pool is counted under its name and its former one', async t => {
  const { read } = createMetrics({
    sessions: async () => [],
    webhookQueue: async () => 0,
    warmPool: () => 3,
    profiles: async () => ({ count: 0, bytes: 0 }),
    images: async () => [],
    devices: async () => ({}),
    parts: async () => new Map(),
  });
  const { text } = await read();
  t.match(text, /^berth_warm_containers 3$/m);
  t.match(text, /^berth_spare_containers 3$/m);
});
