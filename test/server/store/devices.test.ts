import t, { type Test } from 'tap';
import { Keyring } from '../../../src/server/secrets/index.js';
import { type DeviceStore, Store } from '../../../src/server/store/index.js';
import { makeSession } from '../../fixtures/services/session-rows.js';

const POOL = ['phone-1:5555', 'phone-2:5555'];
const NOW = 1_800_000_000_000;
const until = NOW + 30_000;

async function devices(t: Test) {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, new Keyring('a secret of some length'));
  t.teardown(() => store.close());
  return { store, devices: store.devices };
}

const lease = { owner: 'a', until };

/** Devices that were reset: they can be lent. */
async function clean(t: Test, pool: readonly string[] = POOL) {
  const opened = await devices(t);
  await opened.devices.register(pool, NOW);
  await reset(opened.devices, pool);
  return opened;
}

/** All resets that are due succeed. */
async function reset(lent: DeviceStore, pool: readonly string[], isUnbound = false): Promise<string[]> {
  const due = await lent.takeDue(pool, lease, NOW + 10);
  for (const { device, baseline } of due) await lent.cleaned(device, 'a', baseline ?? '{}', isUnbound);
  return due.map(({ device }) => device);
}

t.test('each device is lent to one session, also of simultaneous starts', async t => {
  const { devices: lent } = await clean(t);
  const all = await Promise.all(['one', 'two', 'three', 'four'].map(id => lent.lend(POOL, id, '', lease, false)));
  t.same(all.flatMap(it => (typeof it === 'string' ? [] : [it.device])).sort(), POOL, 'each once');
  t.same(await lent.census(POOL), { free: 0, lent: 2, resetting: 0, unclean: 0 });
  for (const id of ['one', 'two', 'three', 'four']) await lent.giveBack(id);
  t.match(await lent.lend(POOL, 'five', 'other', lease, false), { device: /^phone/ }, 'an unused one is anybody’s');
});

t.test('a device is not lent before it was reset', async t => {
  const { devices: lent } = await devices(t);
  t.equal(await lent.lend(POOL, 'one', '', lease, false), 'none', 'not one that is unknown');
  t.same(await lent.census(POOL), { free: 0, lent: 0, resetting: 2, unclean: 0 });
  await lent.register(POOL, NOW);
  t.equal(await lent.lend(POOL, 'one', '', lease, false), 'soon');
  const [first] = await lent.takeDue(POOL, lease, NOW);
  t.match(first, { device: 'phone-1:5555', tried: 0, baseline: null, usedBy: null });
  t.same(await lent.takeDue(POOL, { owner: 'b', until }, NOW), [], 'by one replica at a time');
  t.ok(await lent.prolong('phone-1:5555', { owner: 'a', until: until + 1 }));
  t.notOk(await lent.prolong('phone-1:5555', { owner: 'b', until }));
  await lent.failed('phone-1:5555', 'a', NOW, NOW + 5000);
  await lent.failed('phone-2:5555', 'a', NOW, NOW + 5000);
  t.equal(await lent.lend(POOL, 'one', '', lease, false), 'none');
  t.same(await lent.takeDue(POOL, lease, NOW + 4999), [], 'it is not due yet');
  t.match(await lent.takeDue(POOL, { owner: 'b', until: until + 9000 }, NOW + 5000), [{ tried: 1 }, { tried: 1 }]);
  t.notOk(await lent.cleaned('phone-1:5555', 'a', '{}', false), 'the lease is another replica’s');
  t.equal(await lent.lend(POOL, 'one', '', lease, false), 'none');
  t.ok(await lent.cleaned('phone-1:5555', 'b', '{}', false));
  t.same(await lent.lend(POOL, 'one', '', lease, false), { device: 'phone-1:5555' });
});

t.test('a session keeps its device, even after its lease, until it is released', async t => {
  const { store, devices: lent } = await clean(t, ['phone:1']);
  await store.sessions.insert(makeSession({ id: 'live' }), lease, 10);
  await lent.lend(['phone:1'], 'live', '', lease, false);
  const next = { owner: 'b', until: until + 90_000 };
  t.same(await lent.takeAbandoned(next, until + 1), [], 'it is live');
  await lent.renew({ owner: 'a', until: until + 60_000 });
  await store.end('live', { reason: 'request' }, NOW, () => null);
  t.same(await lent.takeAbandoned(next, until + 1), [], 'the lease was renewed');
  t.same(await lent.takeAbandoned(next, until + 60_001), [{ sessionId: 'live', party: '' }]);
  t.same(await lent.takeAbandoned(lease, until + 60_002), [], 'by one replica at a time');
  t.equal(await lent.lend(['phone:1'], 'other', '', lease, false), 'none');
  await lent.register(['phone:1'], NOW);
  t.equal(await lent.lend(['phone:1'], 'other', '', lease, false), 'none', 'a service that starts changes nothing');
  await lent.release('live', '', NOW);
  await lent.release('live', '', NOW);
  t.equal(await lent.lend(['phone:1'], 'other', '', lease, false), 'soon');
  t.same(await reset(lent, ['phone:1']), ['phone:1']);
  t.same(await lent.lend(['phone:1'], 'other', '', lease, false), { device: 'phone:1' });
});

t.test('a device that was used is lent to the same party alone, until its operator has reset it', async t => {
  const { devices: lent } = await clean(t, ['phone:1']);
  await lent.lend(['phone:1'], 'one', 'tenant', lease, false);
  await lent.release('one', 'tenant', NOW);
  t.equal(await lent.lend(['phone:1'], 'two', 'other', lease, false), 'none', 'nor soon');
  t.equal(await lent.lend(['phone:1'], 'two', 'other', lease, true), 'soon', 'unless its operator resets it');
  await reset(lent, ['phone:1']);
  t.equal(await lent.lend(['phone:1'], 'two', 'other', lease, false), 'none');
  await lent.lend(['phone:1'], 'three', 'tenant', lease, false);
  await lent.release('three', 'tenant', NOW);
  await reset(lent, ['phone:1'], true);
  t.same(await lent.lend(['phone:1'], 'four', 'other', lease, false), { device: 'phone:1' });
});

t.test('the device that failed or was used longest ago comes first, after those of the party itself', async t => {
  const pool = ['phone:1', 'phone:2', 'phone:3'];
  const { devices: lent } = await clean(t, pool);
  const lend = async (id: string, party: string) => {
    const lending = await lent.lend(pool, id, party, lease, false);
    return typeof lending === 'string' ? lending : lending.device;
  };
  t.equal(await lend('one', 'a'), 'phone:1');
  t.equal(await lend('two', 'b'), 'phone:2');
  await lent.release('one', 'a', NOW);
  await lent.release('two', 'b', NOW + 1);
  await reset(lent, pool);
  t.equal(await lend('three', 'b'), 'phone:2', 'its own');
  t.equal(await lend('four', 'b'), 'phone:3', 'or an unused one');
  await lent.release('three', 'b', NOW + 2);
  await lent.release('four', 'b', NOW + 3);
  for (const { device } of await lent.takeDue(pool, lease, NOW + 3)) {
    if (device === 'phone:2') await lent.failed(device, 'a', NOW + 3, NOW + 3);
    else await lent.cleaned(device, 'a', '{}', false);
  }
  for (const { device } of await lent.takeDue(pool, lease, NOW + 3)) await lent.cleaned(device, 'a', '{}', false);
  t.equal(await lend('five', 'b'), 'phone:3', 'not the one that failed');
});

t.test("a tenant's name goes with its data, and what it has used stays its own", async t => {
  const { store, devices: lent } = await clean(t, ['phone:1']);
  await lent.lend(['phone:1'], 'one', 'tenant', lease, false);
  await lent.release('one', 'tenant', NOW);
  await store.tenants.erase('tenant', { usage: false });
  const [{ usedBy } = { usedBy: null }] = await lent.takeDue(['phone:1'], lease, NOW);
  t.match(usedBy, /^sha256:[0-9a-f]{64}$/);
  await lent.cleaned('phone:1', 'a', '{}', false);
  t.equal(await lent.lend(['phone:1'], 'two', 'other', lease, false), 'none');
  t.same(await lent.lend(['phone:1'], 'three', 'tenant', lease, false), { device: 'phone:1' });
});
