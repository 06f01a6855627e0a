import t, { type Test } from 'tap';
import { Keyring } from '../../../src/server/secrets/index.js';
import { Store } from '../../../src/server/store/index.js';
import { makeSession } from '../../fixtures/sessions.js';

const POOL = ['phone-1:5555', 'phone-2:5555'];
const NOW = 1_800_000_000_000;
const until = NOW + 30_000;

async function devices(t: Test) {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, new Keyring('a secret of some length'));
  t.teardown(() => store.close());
  return { store, devices: store.devices };
}

t.test('each device is lent to one session, also of simultaneous starts', async t => {
  const { devices: lent } = await devices(t);
  const all = await Promise.all(
    ['one', 'two', 'three', 'four'].map(id => lent.lend(POOL, id, { owner: 'a', until }, NOW)),
  );
  t.same(all.filter(device => device !== null).sort(), POOL, 'each once');
  await lent.giveBack('one');
  await lent.giveBack('two');
  await lent.giveBack('two');
  t.not(await lent.lend(POOL, 'five', { owner: 'b', until }, NOW), null, 'it is free again');
  t.ok(await lent.hold('five', { owner: 'b', until }));
  t.notOk(await lent.hold('one', { owner: 'a', until }));
});

t.test('an expired lease ends, unless its session is still live', async t => {
  const { store, devices: lent } = await devices(t);
  const lease = { owner: 'a', until };
  await store.sessions.insert(makeSession({ id: 'live' }), lease, 10);
  t.equal(await lent.lend(['phone:1'], 'live', lease, NOW), 'phone:1');
  t.equal(
    await lent.lend(['phone:1'], 'other', { owner: 'b', until: until + 60_000 }, until + 1),
    null,
    'it is in use',
  );
  await store.end('live', { reason: 'request' }, NOW, () => null);
  t.equal(await lent.lend(['phone:1'], 'other', lease, NOW), null, 'it may still be cleaned');
  t.equal(await lent.lend(['phone:1'], 'other', { owner: 'b', until: until + 60_000 }, until + 1), 'phone:1');
});

t.test('a replica renews the leases of its live sessions', async t => {
  const { store, devices: lent } = await devices(t);
  await store.sessions.insert(makeSession({ id: 'live' }), { owner: 'a', until }, 10);
  await lent.lend(['phone:1'], 'live', { owner: 'a', until }, NOW);
  await lent.renew({ owner: 'a', until: until + 60_000 });
  await store.end('live', { reason: 'request' }, NOW, () => null);
  t.equal(await lent.lend(['phone:1'], 'other', { owner: 'b', until: until + 90_000 }, until + 1), null);
});

t.test('an ended session can hold its device until it is cleaned, if nobody else has it', async t => {
  const { store, devices: lent } = await devices(t);
  await store.sessions.insert(makeSession({ id: 'one' }), { owner: 'a', until }, 10);
  await lent.lend(['phone:1'], 'one', { owner: 'a', until }, NOW);
  await store.end('one', { reason: 'request' }, NOW, () => null);
  t.ok(await lent.hold('one', { owner: 'a', until: until + 60_000 }));
  t.equal(await lent.lend(['phone:1'], 'other', { owner: 'b', until: until + 90_000 }, until + 1), null);
  t.equal(
    await lent.lend(['phone:1'], 'other', { owner: 'b', until: until + 90_000 }, until + 60_001),
    'phone:1',
    'until the lease expires',
  );
  t.notOk(await lent.hold('one', { owner: 'a', until: until + 90_000 }));
});

t.test('a device that does not answer is not lent until it does', async t => {
  const { devices: lent } = await devices(t);
  await lent.lend(POOL, 'one', { owner: 'a', until }, NOW);
  await lent.failed('one', NOW);
  t.same(await lent.broken(), ['phone-1:5555']);
  t.equal(await lent.lend(POOL, 'two', { owner: 'a', until }, NOW), 'phone-2:5555');
  t.equal(
    await lent.lend(POOL, 'three', { owner: 'a', until: until + 9e9 }, until + 1e9),
    'phone-2:5555',
    'it expires, the broken one does not',
  );
  await lent.repaired('phone-1:5555');
  await lent.repaired('phone-2:5555');
  t.same(await lent.broken(), []);
  t.equal(await lent.lend(POOL, 'four', { owner: 'a', until }, NOW), 'phone-1:5555');
  t.ok(await lent.hold('three', { owner: 'a', until }), 'only broken ones are repaired');
});
