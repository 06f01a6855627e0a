import t from 'tap';
import { lifecycle, type Session } from '../../../src/server/model/index.js';
import { newSessionId } from '../../../src/server/model/ids.js';
import type { Store } from '../../../src/server/store/store.js';
import { openStore, runningIn } from '../../fixtures/services/open-store.js';
import { makeSession } from '../../fixtures/services/session-rows.js';

const ALL = 1_000_000;
const lease = { owner: 'me', until: Date.now() + 60_000 };
const RECEIVER = { url: 'https://backend.example/events', bearer: null, secret: null, names: null };

const running = (store: Store, changes: Partial<Session> = {}) => runningIn(store, { events: RECEIVER, ...changes });

const kept = async (store: Store, filter = {}) =>
  (await store.events.page(0, ALL, ALL, filter)).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const names = async (store: Store, filter = {}) => (await kept(store, filter)).map(({ event }) => event);
const batch = (session: Session, ...events: ReturnType<typeof lifecycle.userLeft>[]) => ({
  session,
  takenAt: null,
  events,
});
const user = (id: string, admin = false) => ({ id, admin });
const end = (store: Store, { id }: Session, ending: Parameters<Store['end']>[1] = { reason: 'request' }) =>
  store.end(id, ending, Date.now(), () => null);

/** The names of what is delivered, in order, by a receiver that accepts everything. */
async function delivered(store: Store): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const [first] = await store.outbox.firsts();
    const [item] = await store.outbox.due(first === undefined ? [] : [first.id], Date.now());
    if (item === undefined) return all;
    all.push((JSON.parse(item.body) as { event: string }).event);
    await store.outbox.remove(item);
  }
}

t.test('a session has its events in order, from its start to its end, and each once', async t => {
  const store = await openStore(t);
  const session = await running(store, { tenantId: 'a', tag: 'lobby', metadata: { plan: 'pro' } });
  const [now, ada] = [Date.now(), crypto.randomUUID()];
  const joined = lifecycle.userJoined(session, user(ada, true), now);
  await store.events.record([batch(session, joined)]);
  await store.events.record([batch(session, joined, lifecycle.controlChanged(session, [ada], 'x', now))]);
  await Promise.all(Array.from({ length: 3 }, () => end(store, session, { reason: 'crashed', message: 'Why.' })));
  await store.events.record([batch(session, lifecycle.userLeft(session, ada, now))]);

  const events = await kept(store);
  t.match(events, [
    { event: 'started', tenant_id: 'a', tag: 'lobby', metadata: { plan: 'pro' }, kind: 'chromium', region: 'NA' },
    { event: 'running' },
    { event: 'user_joined', user_id: ada, admin: true },
    { event: 'control_changed', controllers: [ada], count: 1 },
    { event: 'user_left', user_id: ada },
    { event: 'crashed', message: 'Why.' },
    { event: 'ended', reason: 'crashed', message: 'Why.' },
  ]);
  t.equal(events.length, 7);
  t.equal(new Set(events.map(({ id }) => id)).size, 7);
  t.same(
    await delivered(store),
    events.map(({ event }) => event),
  );
});

t.test('events go on after a replica of an older release has delivered one, which knows no order', async t => {
  const store = await openStore(t);
  await running(store);
  const [first] = await store.outbox.firsts();
  const [item] = await store.outbox.due([first!.id], Date.now());
  await store.outbox.remove({ ...item!, event: 'timeout' });
  t.same(await delivered(store), [], 'the next one waits');
  await store.events.resumeStalled();
  t.same(await delivered(store), ['running']);
});

t.test('a start that was refused, or never ran, has no more events than it should', async t => {
  const store = await openStore(t);
  t.equal(await store.sessions.insert(makeSession(), lease, 0), 'full');
  t.same(await names(store), []);
  const session = makeSession();
  await store.sessions.insert(session, lease, 10);
  await end(store, session, { reason: 'failed', message: 'No image.' });
  t.equal(await store.sessions.markRunning(session, Date.now()), false);
  t.same(await names(store), ['started', 'ended']);
});

t.test('an end that is not stored has no event', async t => {
  const store = await openStore(t);
  const session = await running(store);
  const failing = () => {
    throw new Error('no event');
  };
  await t.rejects(store.end(session.id, { reason: 'offline' }, Date.now(), failing));
  t.same(await names(store), ['started', 'running']);
});

t.test('who was there when another process served a session has left, once', async t => {
  const store = await openStore(t);
  const session = await running(store);
  const [ada, bob] = ['ada', 'bob'];
  for (const id of [ada, bob])
    await store.events.record([batch(session, lifecycle.userJoined(session, user(id), Date.now()))]);
  const anew = { session, takenAt: Date.now(), events: [] };
  await store.events.record([anew]);
  await store.events.record([anew]);
  const left = (await kept(store)).filter(({ event }) => event === 'user_left');
  t.same(left.map(each => each['user_id']).sort(), [ada, bob]);
  await end(store, session);
  t.equal((await names(store)).filter(name => name === 'user_left').length, 2);
});

t.test('the profile is told when it is saved, to the receiver of a session that has ended', async t => {
  const store = await openStore(t);
  const saved = newSessionId();
  const session = await running(store, { profile: { load: null, save: saved, pending: null } });
  const lost = await running(store, { profile: { load: null, save: newSessionId(), pending: null } });
  for (const each of [session, lost]) await end(store, each);
  t.same(await delivered(store).then(all => all.length), 6, 'what has not happened is not sent');
  t.equal(await store.outbox.size(), 0);
  const ended = await store.sessions.find(session.id);
  if (ended === null) throw new Error('no session');
  t.equal(ended.events, null, 'the row has lost its receiver');
  await store.sessions.settleProfile(ended, Date.now());
  await store.sessions.settleProfile(ended, Date.now());
  await store.sessions.settleProfile(lost, null);
  t.match((await kept(store)).at(-1), { event: 'profile_saved', session_id: session.id, profile_id: saved });
  t.same(await delivered(store), ['profile_saved']);
  t.same(await store.outbox.firsts(), []);
});

t.test('a receiver gets the names that it asked for, and the feed all', async t => {
  const store = await openStore(t);
  const session = await running(store, { events: { ...RECEIVER, names: ['ended'] } });
  const silent = await running(store, { events: null });
  for (const each of [session, silent]) await end(store, each);
  t.same(await delivered(store), ['ended']);
  t.equal((await names(store)).length, 6);
});

t.test(
  'the next event of a session is due when the one ahead was accepted or given up, whoever else waits',
  async t => {
    const store = await openStore(t);
    const [one, other] = [await running(store), await running(store)];
    const due = async () => {
      const rows = await store.outbox.due(
        [`${one.id}-started`, `${one.id}-running`, `${other.id}-started`],
        Date.now(),
      );
      return rows.map(({ id }) => id).sort();
    };
    t.same(await due(), [`${one.id}-started`, `${other.id}-started`].sort());
    const [head] = await store.outbox.due([`${one.id}-started`], Date.now());
    if (head === undefined) throw new Error('nothing is due');
    t.ok(await store.outbox.claim(head, Date.now() + 60_000));
    t.same(await due(), [`${other.id}-started`], 'not while it is tried');
    await store.outbox.postpone(head.id, Date.now() + 60_000);
    t.same(await due(), [`${other.id}-started`], 'not while it waits to be tried again');
    await store.outbox.remove(head);
    t.same(await due(), [`${one.id}-running`, `${other.id}-started`].sort());
    const { origin = '' } = (await store.outbox.firsts())[0] ?? {};
    t.equal((await store.outbox.removeOlder(origin, Date.now() + 1000)).length, 3, 'those that wait are given up, too');
    await end(store, one);
    t.same(await delivered(store), ['ended'], 'and what comes then is due at once');
  },
);

t.test('events are read by tenant, session and name, from any number on', async t => {
  const store = await openStore(t);
  const [a, b] = [await running(store, { tenantId: 'a' }), await running(store, { tenantId: 'b' })];
  t.same(await names(store, { tenantId: 'a' }), ['started', 'running']);
  t.same((await kept(store, { sessionId: b.id }))[0]?.['session_id'], b.id);
  t.equal((await kept(store, { names: ['running'] })).length, 2);
  t.same(await names(store, { tenantId: 'a', sessionId: a.id, names: ['started', 'ended'] }), ['started']);
  const [first] = await store.events.page(0, ALL, 1, {});
  t.equal((await store.events.page(first?.seq ?? 0, ALL, ALL, {})).length, 3);
  const { newest } = await store.events.range();
  t.equal((await store.events.page(0, newest - 1, ALL, {})).length, 3, 'up to a number');
});

t.test('events are deleted by age and by number, and the bounds say so', async t => {
  const store = await openStore(t);
  t.same(await store.events.range(), { pruned: 0, newest: 0 });
  for (let i = 0; i < 10; i++) await running(store);
  const { newest } = await store.events.range();
  await store.events.prune(0, 1000);
  t.match(await store.events.range(), { pruned: 0, newest });
  await store.events.prune(0, 5);
  t.match(await store.events.range(), { pruned: newest - 5, newest });
  t.equal((await kept(store)).length, 5);
  await store.events.prune(Date.now() + 1000, 1000);
  t.match(await store.events.range(), { pruned: newest, newest }, 'also when none is left');
  await running(store);
  t.equal((await store.events.page(newest, ALL, ALL, {})).length, 2, 'numbers go on');
});

t.test("a tenant's events go, and who had them has missed none", async t => {
  const store = await openStore(t);
  await running(store, { tenantId: 'b' });
  const session = await running(store, { tenantId: 'a' });
  await end(store, session);
  const { newest } = await store.events.range();
  t.match(await store.tenants.erase('a', { usage: false }), { events: 3, sessionRecords: 1, webhooks: 3 });
  t.same(await store.events.range(), { pruned: 0, newest });
  t.same(await names(store), ['started', 'running']);
  await running(store, { tenantId: 'b' });
  t.equal((await store.events.page(newest, ALL, ALL, {})).length, 2, 'numbers go on');
  t.match(await store.tenants.erase('b', { usage: false }), { events: 4, sessionRecords: 0 });
  t.match(await store.events.range(), { pruned: 0, newest: newest + 2 }, 'also when none is left');
});

t.test('numbers become visible in order, whatever is added at the same time', async t => {
  const store = await openStore(t);
  const sessions = await Promise.all(Array.from({ length: 10 }, () => running(store)));
  let last = (await store.events.range()).newest;
  const seen: number[] = [];
  let isDone = false;
  const reading = (async () => {
    while (!isDone || (await store.events.range()).newest > last) {
      const { newest } = await store.events.range();
      for (const { seq } of await store.events.page(last, newest, ALL, {})) seen.push(seq);
      last = newest;
    }
  })();
  await Promise.all(
    sessions.flatMap((session, i) => [
      store.events.record([batch(session, lifecycle.userJoined(session, user(`user-${i}`), Date.now()))]),
      end(store, session),
    ]),
  );
  isDone = true;
  await reading;
  const { newest } = await store.events.range();
  const all = (await store.events.page(0, newest, ALL, {})).map(({ seq }) => seq);
  t.same(seen, all.slice(-seen.length));
  t.equal(all.length, seen.length + 20, 'nobody who reads on misses one');
});
