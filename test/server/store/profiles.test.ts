import t, { type Test } from 'tap';
import { newSessionId } from '../../../src/server/model/ids.js';
import { Store } from '../../../src/server/store/store.js';
import { keyring } from '../../fixtures/services/keyring.js';
import { makeSession } from '../../fixtures/services/session-rows.js';

const lease = { owner: 'me', until: Date.now() + 60_000 };

async function open(t: Test): Promise<Store> {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  t.teardown(() => store.close());
  return store;
}

async function running(store: Store, profile: { load?: string; save?: string }) {
  const { load = null, save = null } = profile;
  const session = makeSession({ profile: { load, save, pending: null } });
  await store.sessions.insert(session, lease, 1000);
  await store.sessions.markRunning(session, 2000);
  return session;
}

t.test('the end of a session that ran marks its profile as not saved yet', async t => {
  const store = await open(t);
  const id = newSessionId();
  const session = await running(store, { save: id });
  t.notOk(await store.sessions.isProfilePending(id));
  const ended = await store.end(session.id, { reason: 'offline' }, 5000, () => null, 'another');
  t.same(ended?.profile, { load: null, save: id, pending: 5000 });
  t.ok(await store.sessions.isProfilePending(id));
  t.same(
    (await store.sessions.unsaved('another')).map(each => each.id),
    [session.id],
    'who ended it saves it',
  );
  t.same(await store.sessions.unsaved('me'), []);
  t.equal(await store.sessions.forget(10_000), 0, 'it is not forgotten before');
  await store.sessions.settleProfile(session, 3000);
  t.notOk(await store.sessions.isProfilePending(id));
  t.equal(await store.sessions.forget(10_000), 1);
});

t.test('sessions that never ran, failed, or save nothing leave no mark', async t => {
  const store = await open(t);
  const starting = makeSession({ profile: { load: null, save: newSessionId(), pending: null } });
  await store.sessions.insert(starting, lease, 1000);
  t.equal((await store.end(starting.id, { reason: 'request' }, 1, () => null))?.profile.pending, null);
  const failed = await running(store, { save: newSessionId() });
  t.equal((await store.end(failed.id, { reason: 'failed' }, 1, () => null))?.profile.pending, null);
  const plain = await running(store, { load: newSessionId() });
  t.equal((await store.end(plain.id, { reason: 'request' }, 1, () => null))?.profile.pending, null);
});

t.test('the unsaved profiles of a dead replica are taken over', async t => {
  const store = await open(t);
  const session = await running(store, { save: newSessionId() });
  await store.end(session.id, { reason: 'request' }, Date.now(), () => null, 'me');
  await store.sessions.lease({ owner: 'heir', until: lease.until + 120_000 }, lease.until - 1);
  t.same(await store.sessions.unsaved('heir'), [], 'not while it lives');
  await store.sessions.lease({ owner: 'heir', until: lease.until + 120_000 }, lease.until + 1);
  t.same(
    (await store.sessions.unsaved('heir')).map(({ id }) => id),
    [session.id],
  );
});

t.test('profiles expire after their last use, unless a session is going to use them', async t => {
  const store = await open(t);
  const { profiles, sessions } = store;
  const [old, used, fresh] = [newSessionId(), newSessionId(), newSessionId()];
  const [loaded, saved] = [newSessionId(), newSessionId()];
  for (const id of [old, used, loaded, saved]) await profiles.saved({ id, kind: 'chromium' }, 100, 1000);
  await profiles.saved({ id: fresh, kind: 'console' }, 50, 5000);
  t.ok(await profiles.used(used, 5000));
  t.notOk(await profiles.used(newSessionId(), 5000), 'there is none to use');
  await running(store, { load: loaded });
  const ending = await running(store, { save: saved });
  await store.end(ending.id, { reason: 'request' }, 6000, () => null);
  t.same(await profiles.expired(4000), [old]);
  await sessions.settleProfile(ending, 3000);
  t.same((await profiles.expired(4000)).sort(), [old, saved].sort());
  t.same(await profiles.census(), { count: 5, bytes: 450 });
  await profiles.saved({ id: old, kind: 'chromium' }, 10, 7000);
  t.same(await profiles.census(), { count: 5, bytes: 360 }, 'saved anew it counts once');
  await profiles.remove(old);
  t.same(
    [await profiles.kindOf(old), await profiles.kindOf(used), await profiles.kindOf(fresh)],
    [null, 'chromium', 'console'],
  );
});
