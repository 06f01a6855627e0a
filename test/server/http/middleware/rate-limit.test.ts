import t from 'tap';
import { serveInProcess } from '../../../fixtures/services/in-process.js';

t.test('what is over the rate limit is refused, with the seconds until it is over', async t => {
  const { api } = await serveInProcess(t, { BERTH_RATE_LIMIT: '2' });
  for (let request = 0; request < 2; request++) t.equal((await api('GET', '/v0/vm')).status, 200);
  const refused = await api('GET', '/v0/vm');
  t.equal(refused.status, 429);
  const wait = Number(refused.headers.get('retry-after'));
  t.ok(wait > 50 && wait <= 60, 'at most a minute');
});

t.test('a machine whose clock is set back refuses no longer for that', async t => {
  const [now, monotonic] = [Date.now, performance.now];
  t.teardown(() => {
    Date.now = now;
    performance.now = monotonic;
  });
  const { api } = await serveInProcess(t, { BERTH_RATE_LIMIT: '2' });
  for (let request = 0; request < 3; request++) await api('GET', '/v0/vm');
  Date.now = () => now() - 3_600_000;
  const refused = await api('GET', '/v0/vm');
  t.equal(refused.status, 429);
  t.ok(Number(refused.headers.get('retry-after')) <= 60, 'at most a minute');
  performance.now = () => monotonic.call(performance) + 60_000;
  t.equal((await api('GET', '/v0/vm')).status, 200, 'after that minute');
});
