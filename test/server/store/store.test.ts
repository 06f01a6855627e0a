import t from 'tap';
import { summarize } from '../../../src/server/model/usage.js';
import type { TimeoutItem } from '../../../src/server/store/outbox.js';
import { Store } from '../../../src/server/store/store.js';
import { keyring } from '../../fixtures/services/keyring.js';
import { openStore, runningIn } from '../../fixtures/services/open-store.js';
import { makeSession } from '../../fixtures/services/session-rows.js';

const MANY = 1000;
const lease = { owner: 'me', until: Date.now() + 60_000 };

t.test('a session is read back as it was written', async t => {
  const store = await openStore(t);
  const session = makeSession({ tag: 'a', tenantId: 'b', webhook: { url: 'http://x/', bearer: 'y', secret: 'z' } });
  t.equal(await store.sessions.insert(session, lease, MANY), 'inserted');
  t.same(await store.sessions.find(session.id), session);
  t.equal(await store.sessions.find('unknown'), null);
});

t.test('only one live session can have a tag', async t => {
  const store = await openStore(t);
  const results = await Promise.all(
    Array.from({ length: 30 }, () => store.sessions.insert(makeSession({ tag: 'same' }), lease, MANY)),
  );
  t.equal(results.filter(result => result === 'inserted').length, 1);
  t.equal(results.filter(result => result === 'tag_taken').length, 29);
  const first = await store.sessions.findByTag('same');
  await store.end(first?.id ?? '', { reason: 'request' }, Date.now(), () => null);
  t.equal(await store.sessions.insert(makeSession({ tag: 'same' }), lease, MANY), 'inserted');
});

t.test('no more sessions are live than there are places', async t => {
  const store = await openStore(t);
  const results = await Promise.all(Array.from({ length: 10 }, () => store.sessions.insert(makeSession(), lease, 3)));
  t.equal(results.filter(result => result === 'inserted').length, 3);
  t.equal((await store.sessions.live()).length, 3);
});

t.test('a session ends once, and its usage is booked in the same transaction', async t => {
  const store = await openStore(t);
  const ready = Date.parse('2026-05-31T23:59:50Z');
  const session = await runningIn(store, { createdAt: ready, tenantId: 'a' }, ready);
  const ends = await Promise.all(
    Array.from({ length: 5 }, () => store.end(session.id, { reason: 'request' }, ready + 15_000, () => null)),
  );
  t.equal(ends.filter(ended => ended !== null).length, 1);
  const days = await store.usage.until(ready + 99_000, {});
  t.same(
    summarize(days ?? [], 'day').map(({ seconds }) => seconds),
    [5, 10],
  );
  t.same(await store.usage.until(ready + 99_000, { tenantId: 'b' }), []);
  t.same(summarize((await store.usage.until(ready + 99_000, { tenantId: 'a' })) ?? [], 'month').length, 2);
});

t.test('a session that never ran costs nothing', async t => {
  const store = await openStore(t);
  const session = makeSession();
  await store.sessions.insert(session, lease, MANY);
  await store.end(session.id, { reason: 'failed', message: 'why' }, Date.now() + 5000, () => null);
  t.same(await store.usage.until(Date.now() + 9000, {}), []);
  t.match(await store.sessions.find(session.id), {
    state: { type: 'ended', reason: 'failed', message: 'why' },
  });
  t.equal(await store.sessions.markRunning(session, Date.now()), false);
});

t.test('an event is stored together with the end that it reports, or neither is', async t => {
  const store = await openStore(t);
  const session = await runningIn(store);
  await t.rejects(
    store.end(session.id, { reason: 'offline' }, Date.now(), () => {
      throw new Error('no event');
    }),
  );
  t.match(await store.sessions.find(session.id), { state: { type: 'running' } });
  t.equal(await store.outbox.size(), 0);
});

/** An event for a receiver. */
const event = (sessionId: string, id: string, url: string, changes: Partial<TimeoutItem> = {}): TimeoutItem => ({
  id: `${sessionId}-${id}`,
  sessionId,
  event: 'timeout',
  url,
  bearer: null,
  secret: null,
  body: '{}',
  createdAt: 1000,
  nextAt: 1000,
  attempts: 0,
  ...changes,
});

t.test('of each origin the event that is due first is found, however many others there are', async t => {
  const store = await openStore(t);
  for (let i = 0; i < 60; i++)
    await store.outbox.add(event('a', String(i), `https://one.example/${i}?secret`, { nextAt: 2000 - i }));
  await store.outbox.add(event('b', '0', 'https://one.example:8443/'));
  await store.outbox.add(event('c', '0', 'http://one.example/', { nextAt: 9000, attempts: 3 }));
  const firsts = (await store.outbox.firsts()).sort((a, b) => a.id.localeCompare(b.id));
  t.match(firsts, [
    { id: 'a-59', nextAt: 1941, attempts: 0 },
    { id: 'b-0', nextAt: 1000, attempts: 0 },
    { id: 'c-0', nextAt: 9000, attempts: 3 },
  ]);
  t.equal(new Set(firsts.map(({ origin }) => origin)).size, 3);
  t.notMatch(JSON.stringify(firsts), /example|secret/, 'which origin it is cannot be read from it');
  const due = await store.outbox.due(['a-59', 'c-0', 'nobody'], 2000);
  t.match(due, [{ id: 'a-59', url: 'https://one.example/59?secret' }]);
  t.equal(due.length, 1, 'those that are due');

  await store.outbox.add(event('d', 'new', 'https://one.example/', { createdAt: 5000 }));
  const removed = await store.outbox.removeOlder(firsts[0]?.origin ?? '', 5000);
  t.equal(removed.length, 60);
  t.match(removed[0], { sessionId: 'a' });
  t.equal(await store.outbox.size(), 3);
});

t.test('a session that ends loses its warnings, and gets no more, whatever happens at the same time', async t => {
  const store = await openStore(t);
  const url = 'https://backend.example/';
  for (let round = 0; round < 20; round++) {
    const [session, other] = [await runningIn(store), await runningIn(store)];
    const warn = (id: string, of = session.id) =>
      store.outbox.add(event(of, `warning-${id}`, url, { event: 'warning' }));
    await Promise.all([warn('before'), warn('another', other.id)]);
    await Promise.all([
      warn('meanwhile'),
      store.end(session.id, { reason: 'offline' }, Date.now(), () => event(session.id, 'timeout', url)),
      warn('at once'),
    ]);
    await warn('after');
    const ids = ['warning-before', 'warning-meanwhile', 'warning-at once', 'warning-after', 'timeout'];
    const left = await store.outbox.due([...ids.map(id => `${session.id}-${id}`), `${other.id}-warning-another`], 1000);
    t.same(left.map(({ id }) => id).sort(), [`${other.id}-warning-another`, `${session.id}-timeout`].sort());
  }
});

t.test('due sessions are found by their deadlines, for their owner only', async t => {
  const store = await openStore(t);
  const timeouts = { absolute: 5000, inactive: null, offline: null, warning: null };
  const session = await runningIn(store, { createdAt: 1000, timeouts }, 1000);
  t.same(await store.sessions.due('me', 5999), []);
  t.match(await store.sessions.due('me', 6000), [{ session: { id: session.id }, at: 6000 }]);
  t.same(await store.sessions.due('other', 6000), []);
});

t.test('expired leases are taken over, others are not', async t => {
  const store = await openStore(t);
  const [mine, theirs, dead] = [makeSession(), makeSession(), makeSession()];
  await store.sessions.insert(mine, { owner: 'me', until: 500 }, MANY);
  await store.sessions.insert(theirs, { owner: 'other', until: 2000 }, MANY);
  await store.sessions.insert(dead, { owner: 'gone', until: 900 }, MANY);
  await store.sessions.lease({ owner: 'me', until: 5000 }, 1000);
  const owned = (await store.sessions.owned('me')).map(({ id }) => id).sort();
  t.same(owned, [mine.id, dead.id].sort());
});

t.test('a database on disk persists', async t => {
  const filename = `${t.testdir()}/berth.sqlite`;
  const first = await Store.open({ client: 'sqlite', filename }, keyring);
  const session = makeSession();
  await first.sessions.insert(session, lease, MANY);
  await first.close();
  const second = await Store.open({ client: 'sqlite', filename }, keyring);
  t.same(await second.sessions.find(session.id), session);
  await second.close();
});

t.test('no session ends before it ran, and usage is never negative', async t => {
  const store = await openStore(t);
  const now = Date.now();
  for (const [ending, ended] of [
    [{ reason: 'absolute', at: now - 5000 }, now],
    // The clock of the replica that ends it is behind.
    [{ reason: 'request' }, now - 60_000],
  ] as const) {
    const session = await runningIn(store, { createdAt: now - 4000 }, now - 1000);
    t.match(await store.end(session.id, ending, ended, () => null), { state: { at: now - 1000 } });
  }
  t.same(
    ((await store.usage.until(now, {})) ?? []).filter(({ ms }) => ms !== 0),
    [],
  );
});

t.test('what asks a store that is being closed fails at once', async t => {
  const store = await openStore(t);
  const before = store.ping();
  const closed = store.close();
  const error = { name: 'StoreError', code: 'CLOSED' };
  await t.rejects(store.sessions.owned('me'), error);
  await t.rejects(
    store.end('0', { reason: 'request' }, 0, () => null),
    error,
  );
  await before;
  await closed;
  await t.rejects(store.ping(), error);
});

/** A key of a start, and what it is asked for. */
const keyed = (id: string, request = 'one') => ({ id, request, tenantId: null });

t.test('of simultaneous starts with one idempotency key, one is written, with the key', async t => {
  const store = await openStore(t);
  const key = keyed('a');
  const sessions = Array.from({ length: 20 }, () => makeSession());
  const results = await Promise.all(
    sessions.map(session => store.sessions.insert(session, lease, MANY, Infinity, key)),
  );
  t.equal(results.filter(result => result === 'key_taken').length, 19);
  const [live, ...others] = await store.sessions.live();
  t.same(others, []);
  t.same(await store.idempotency.find(key, Date.now()), { request: 'one', sessionId: live?.id, created: true });
  t.equal(await store.sessions.insert(makeSession(), lease, 1, Infinity, keyed('b')), 'full');
  t.equal(await store.idempotency.find(keyed('b'), Date.now()), null);
});

t.test('the key of a start that failed, or that nobody knows of, is free again', async t => {
  const store = await openStore(t);
  const key = keyed('a');
  const kept = async () => (await store.idempotency.find(key, Date.now()))?.sessionId ?? null;
  const failed = makeSession();
  await store.sessions.insert(failed, lease, MANY, Infinity, key);
  await store.end(failed.id, { reason: 'failed' }, Date.now(), () => null);
  t.equal(await kept(), null);

  const lost = makeSession({ claimBy: Date.now() });
  await store.sessions.insert(lost, lease, MANY, Infinity, key);
  await store.sessions.markRunning(lost, Date.now());
  t.equal(await kept(), lost.id);
  await store.end(lost.id, { reason: 'failed' }, Date.now(), () => null);
  t.equal(await kept(), null);

  const known = makeSession();
  await store.sessions.insert(known, lease, MANY, Infinity, key);
  await store.sessions.markRunning(known, Date.now());
  await store.end(known.id, { reason: 'request' }, Date.now(), () => null);
  t.equal(await kept(), known.id);
});

t.test('idempotency keys last a day, and no longer than their session is known', async t => {
  const store = await openStore(t);
  const key = keyed('a');
  const now = Date.now();
  const day = 24 * 3_600_000;
  const first = makeSession({ createdAt: now });
  await store.sessions.insert(first, lease, MANY, Infinity, { ...key, id: 'made' });
  await store.idempotency.found(key, first.id, now);
  await store.idempotency.found(keyed('a', 'another'), first.id, now);
  t.same(await store.idempotency.find(key, now + day - 1), { request: 'one', sessionId: first.id, created: false });
  t.equal(await store.idempotency.find(key, now + day), null);
  const later = makeSession({ createdAt: now + day });
  t.equal(await store.sessions.insert(later, lease, MANY, Infinity, key), 'inserted');
  t.match(await store.idempotency.find(key, now + day), { sessionId: later.id, created: true });
  t.equal(await store.idempotency.forget(now + day), 1, 'the one that was made is too old');

  await store.sessions.markRunning(later, now + day);
  await store.end(later.id, { reason: 'request' }, now + day, () => null);
  await store.sessions.forget(now + 2 * day);
  t.equal(await store.idempotency.find(key, now + day + 1), null);
  await store.idempotency.found(key, later.id, now + day);
  t.equal(await store.idempotency.find(key, now + day + 1), null, 'nothing is kept of what is not there');
});

t.test('profiles are found with what uses them, in pages, by kind and tenant', async t => {
  const store = await openStore(t);
  const { profiles } = store;
  for (const [id, at] of [
    ['c', 1000],
    ['a', 2000],
    ['b', 2000],
  ] as const)
    await profiles.saved({ id, kind: 'chromium', tenantId: id === 'b' ? 'two' : 'one' }, 10, at);
  await profiles.saved({ id: 'c', kind: 'chromium', tenantId: 'one' }, 20, 3000);
  const user = await runningIn(store, { profile: { load: 'c', save: 'c', pending: null } });
  t.same(await profiles.find('c'), {
    ...{ id: 'c', kind: 'chromium', tenantId: 'one', bytes: 20 },
    ...{ createdAt: 1000, savedAt: 3000, usedAt: 3000, sessions: [user.id] },
  });
  const ids = async (...page: Parameters<typeof profiles.page>) => (await profiles.page(...page))?.map(({ id }) => id);
  t.same(await ids(null, 2, {}), ['c', 'a']);
  t.same(await ids('a', 2, {}), ['b']);
  t.same(await ids('a', 2, { newestFirst: true }), ['c']);
  t.same(await ids(null, 9, { tenantId: 'one', kind: 'chromium' }), ['c', 'a']);
  t.same(await ids(null, 9, { kind: 'console' }), []);
  t.equal(await profiles.page('d', 9, {}), null);
  t.notOk(await profiles.withdraw('c', 9000), 'it is used');
  t.ok(await profiles.withdraw('a', 9000));
  t.same(await ids(null, 9, {}), ['c', 'b']);
  t.equal(await profiles.find('a'), null);
});

t.test('usage is told apart by tenant and kind, of ended sessions and of running ones', async t => {
  const store = await openStore(t);
  const { launch } = makeSession();
  const ready = Date.parse('2026-05-31T12:00:00Z');
  const sessions = [
    { tenantId: 'a', launch },
    { tenantId: 'a', launch: { ...launch, kind: 'nes' as const } },
    { tenantId: null, launch },
  ];
  for (const each of sessions) {
    const session = await runningIn(store, { ...each, createdAt: ready } as Parameters<typeof makeSession>[0], ready);
    await store.end(session.id, { reason: 'request' }, ready + 10_000, () => null);
  }
  await runningIn(store, { tenantId: 'a', createdAt: ready }, ready + 10_000);
  const usage = async (filter: Parameters<typeof store.usage.until>[1]) =>
    summarize((await store.usage.until(ready + 15_000, filter)) ?? [], 'day').map(({ date: _, ...rest }) => rest);
  t.same(await usage({}), [{ seconds: 35 }]);
  t.same(await usage({ kind: 'nes' }), [{ seconds: 10 }]);
  t.same(await usage({ tenantId: 'a', kind: 'chromium' }), [{ seconds: 15 }]);
  t.same(await usage({ groupBy: ['kind'] }), [
    { kind: 'chromium', seconds: 25 },
    { kind: 'nes', seconds: 10 },
  ]);
  t.same(await usage({ groupBy: ['tenant_id'] }), [
    { tenant_id: null, seconds: 10 },
    { tenant_id: 'a', seconds: 25 },
  ]);
  t.same(await usage({ groupBy: ['tenant_id', 'kind'], tenantId: 'a' }), [
    { tenant_id: 'a', kind: 'chromium', seconds: 15 },
    { tenant_id: 'a', kind: 'nes', seconds: 10 },
  ]);
});
