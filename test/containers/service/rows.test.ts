// tags: containers
import { join } from 'node:path';
import t from 'tap';
import { Store } from '../../../src/server/store/store.js';
import { startService } from '../../fixtures/services/service.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { keyring } from '../../fixtures/services/keyring.js';
import { until } from '../../fixtures/until.js';

const DAY_MS = 86_400_000;
/** Rows of a replica that is alive, so that the service under test leaves them alone. */
const lease = { owner: 'another-replica', until: Date.now() + DAY_MS };

t.test('250 sessions are listed in three pages, each once, oldest first, while others start and end', async t => {
  const service = await startService(t);
  const store = await Store.open({ client: 'sqlite', filename: join(service.dataDir, 'berth.sqlite') }, keyring);
  t.teardown(() => store.close());
  const begins = async (createdAt: number) => {
    const session = makeSession({ createdAt });
    await store.sessions.insert(session, lease, 1000);
    await store.sessions.markRunning(session, createdAt);
    return session.id;
  };
  const begin = Date.now() - 3_600_000;
  const expected: string[] = [];
  for (let index = 0; index < 250; index++) expected.push(await begins(begin + Math.floor(index / 3) * 1000));
  // One that is still starting is in no list.
  await store.sessions.insert(makeSession(), lease, 1000);

  const pages: string[][] = [];
  const dates: string[] = [];
  let next: string | null = null;
  for (;;) {
    const { status, body } = await service.api('GET', `/v0/vm${next === null ? '' : `?after_id=${next}`}`);
    t.equal(status, 200);
    const ids: string[] = body.results.map(({ id }: { id: string }) => id);
    pages.push(ids);
    dates.push(...body.results.map((entry: { creation_date: string }) => entry.creation_date));
    next = body.next;
    if (next === null) break;
    // The one that the next page begins after ends, as does the one before it, and another starts.
    for (const id of ids.slice(-2)) await store.end(id, { reason: 'request' }, Date.now(), () => null);
    expected.push(await begins(Date.now()));
  }
  t.same(
    pages.map(page => page.length),
    [100, 100, 52],
  );
  t.same(pages.flat().sort(), expected.sort());
  t.same(dates, [...dates].sort());
});

t.test('usage is split at UTC midnight, per tenant, and running sessions count up to now', async t => {
  const service = await startService(t);
  const store = await Store.open({ client: 'sqlite', filename: join(service.dataDir, 'berth.sqlite') }, keyring);
  t.teardown(() => store.close());
  const book = async (tenantId: string | null, from: string, to: string) => {
    const ready = Date.parse(from);
    const session = makeSession({ createdAt: ready, tenantId });
    await store.sessions.insert(session, lease, 1000);
    await store.sessions.markRunning(session, ready);
    await store.end(session.id, { reason: 'request' }, Date.parse(to), () => null);
  };
  await book('a', '2025-12-30T23:59:50Z', '2026-01-01T00:00:20Z');
  await book('b', '2026-01-01T10:00:00Z', '2026-01-01T10:00:05.500Z');

  const usage = async (query: string) => (await service.api('GET', `/v0/vm/usage${query}`)).body.usage;
  const day = (date: string, seconds: number) => ({ date: `${date}T00:00:00.000Z`, seconds });
  t.same(await usage(''), [day('2026-01-01', 25.5), day('2025-12-31', 86_400), day('2025-12-30', 10)]);
  t.same(await usage('?tenant_id=b'), [day('2026-01-01', 5.5)]);
  t.same(await usage('?period=month'), [day('2026-01-01', 25.5), day('2025-12-01', 86_410)]);
  t.same(await usage('?from=2025-12-31&to=2025-12-31'), [day('2025-12-31', 86_400)]);
  t.same(await usage('?to=2025-12-30T12:00:00Z'), [day('2025-12-30', 10)]);

  const now = Date.now();
  const running = makeSession({ createdAt: now - 2 * DAY_MS, tenantId: 'c' });
  await store.sessions.insert(running, lease, 1000);
  await store.sessions.markRunning(running, now - DAY_MS);
  const secondsOf = async (time: number) => {
    const entries: { date: string; seconds: number }[] = await usage('?tenant_id=c');
    return entries.find(({ date }) => date.slice(0, 10) === new Date(time).toISOString().slice(0, 10))?.seconds ?? 0;
  };
  // It has run for a day, which is the rest of yesterday and today until now.
  const midnight = Math.ceil((now - DAY_MS) / DAY_MS) * DAY_MS;
  t.equal(await secondsOf(now - DAY_MS), (midnight - (now - DAY_MS)) / 1000);
  const today = await secondsOf(now);
  t.ok(today >= (now - midnight) / 1000 && today < (now - midnight) / 1000 + 60, `${today} s today`);
  t.ok(await until('it counts on', async () => (await secondsOf(now)) > today));
});
