import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { withViewers } from '../../../src/server/sessions/timeouts/activity-tracker.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

interface Started {
  session_id: string;
  embed_url: string;
}

t.test("whether anybody is connected is decided by the service's own count, whatever an agent claims", async t => {
  const { api, agent } = await serveInProcess(t);
  const start = async () =>
    (await (await api('POST', '/v0/vm', { timeout: { offline: 3, warning: null } })).json()) as Started;
  const ended = async ({ session_id }: Started) =>
    ((await (await api('GET', `/v0/vm/${session_id}`)).json()) as { termination_reason?: string }).termination_reason;
  const [alone, watched] = [await start(), await start()];
  const viewer = await StreamClient.join(watched.embed_url.replace('http', 'ws').replace('?', '/stream?'));
  let isClaimed = true;
  const claims = setInterval(() => {
    isClaimed = !isClaimed;
    agent.tell({ type: 'activity', idle_ms: 0, offline_ms: isClaimed ? null : 3_600_000 });
  }, 200);
  t.teardown(() => clearInterval(claims));
  t.equal(await until('the one with nobody ends', () => ended(alone)), 'offline', 'claims of viewers do not keep it');
  await wait(3500);
  t.notOk(await ended(watched), 'claims that nobody is there do not end it');
  viewer.leave();
  t.equal(await until('it ends when the viewer has left', () => ended(watched)), 'offline');
});

t.test('since when nobody has been connected', async t => {
  const running = makeSession({ state: { type: 'running' }, offlineAt: null, seenAt: 4000 });
  t.equal(withViewers(running, 0, 5000, false).offlineAt, 5000, 'the last viewer leaves');
  t.equal(withViewers({ ...running, offlineAt: 3000 }, 0, 5000, false).offlineAt, 3000, 'still nobody');
  t.equal(withViewers({ ...running, offlineAt: 3000 }, 2, 5000, false).offlineAt, null, 'viewers');
  t.equal(
    withViewers(running, 0, 5000, true).offlineAt,
    4000,
    'of a session taken over after a crash: since it was last seen',
  );
  t.equal(withViewers({ ...running, offlineAt: 3000 }, 0, 5000, true).offlineAt, 3000, 'or since the store knows');
  const starting = makeSession({ state: { type: 'starting' }, offlineAt: 1000 });
  t.equal(withViewers(starting, 0, 5000, false).offlineAt, 5000, 'not before its agent answers');
});
