import t from 'tap';
import { isOurs } from '../../../src/server/sessions/recovery/ownership.js';

const owner = { store: 'mine', replica: 'me', knows: async (id: string) => id === 'known' };
const found = (sessionId: string, store: string | null, warm?: { by: string; at: number }) => ({
  sessionId,
  store,
  endpoint: null,
  ...(warm === undefined ? {} : { warm }),
});

t.test('a container belongs to the store it was started for, whoever has its session', async t => {
  t.equal(await isOurs(found('unknown', 'mine'), owner), true);
  t.equal(await isOurs(found('known', 'another'), owner), false);
});

t.test("one without that label belongs to its session's owner", async t => {
  t.equal(await isOurs(found('known', null), owner), true);
  t.equal(await isOurs(found('unknown', null), owner), false);
});

t.test('one of the warm pool without that label belongs to its replica, and after a while to any', async t => {
  const hours = (count: number) => Date.now() - count * 3_600_000;
  t.equal(await isOurs(found('unknown', null, { by: 'me', at: hours(0) }), owner), true);
  t.equal(await isOurs(found('unknown', null, { by: 'another', at: hours(1) }), owner), false);
  t.equal(await isOurs(found('unknown', null, { by: 'another', at: hours(3) }), owner), true);
  t.equal(await isOurs(found('unknown', 'another', { by: 'me', at: hours(3) }), owner), false);
});
