import t from 'tap';
import type { SessionFilter } from '../../../src/server/store/index.js';
import { openStore, runningIn } from '../../fixtures/services/open-store.js';

t.test('pages are oldest first, without gaps or repetitions, even if their last session has ended', async t => {
  const store = await openStore(t);
  const ids: string[] = [];
  for (let index = 0; index < 25; index++) ids.push((await runningIn(store, { createdAt: 1000 + (index >> 1) })).id);
  const seen: string[] = [];
  for (let after: string | null = null; ;) {
    const page: { id: string }[] = (await store.sessions.page(after, 10, {})) ?? [];
    if (page.length === 0) break;
    seen.push(...page.map(({ id }) => id));
    after = page.at(-1)?.id ?? null;
    await store.end(after ?? '', { reason: 'request' }, Date.now(), () => null);
  }
  t.same([...seen].sort(), [...ids].sort());
  t.equal(await store.sessions.page('unknown', 10, {}), null);
});

t.test('sessions are found by an entry of their metadata, newest first if that is wanted', async t => {
  const store = await openStore(t);
  const { id: pro } = await runningIn(store, { createdAt: 1000, metadata: { plan: 'pro', 'a"b': "it's" } });
  const { id: other } = await runningIn(store, { createdAt: 2000, metadata: { plan: 'pro' } });
  await runningIn(store, { createdAt: 3000 });
  const found = async (name: string, value: string) =>
    (await store.sessions.page(null, 9, { metadata: { name, value }, newestFirst: true }))?.map(({ id }) => id);
  t.same(await found('plan', 'pro'), [other, pro]);
  t.same(await found('a"b', "it's"), [pro]);
  t.same(await found('plan', 'free'), []);
});

t.test('sessions are found by the first of their deadlines, whichever that is, and by viewers and size', async t => {
  const store = await openStore(t);
  const none = { absolute: null, inactive: null, offline: null, warning: null };
  const at1000 = { createdAt: 1000, countedFrom: 1000, inputAt: 1000, offlineAt: 1000 };
  const { id: late } = await runningIn(store, { ...at1000, timeouts: { ...none, absolute: 9000, inactive: 8000 } });
  const { id: soon } = await runningIn(store, { ...at1000, timeouts: { ...none, absolute: 9000, offline: 2000 } });
  await runningIn(store, { ...at1000, timeouts: none });
  const found = async (filter: SessionFilter) =>
    new Set((await store.sessions.page(null, 9, filter))?.map(({ id }) => id));
  t.same(await found({ expires: { to: 3001 } }), new Set([soon]));
  t.same(await found({ expires: { from: 3000, to: 9001 } }), new Set([soon, late]));
  t.same(await found({ expires: { from: 3001 } }), new Set([late]));
  t.same(await found({ expires: { from: 9001 } }), new Set());
  t.equal((await found({ viewers: { max: 0 } })).size, 3);
  t.equal((await found({ viewers: { min: 1 } })).size, 0);
  t.equal((await found({ width: 1 })).size, 0);
});
