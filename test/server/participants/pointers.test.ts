import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import type { Role } from '../../../src/protocol/generated/schemas.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const idOf = async (viewer: StreamClient) => (await viewer.heard('welcome')).user_id;
const start = (...roles: Role[]) => startFakedSession(t, { default_roles: roles });

t.test("holders of cursor_data see the others' pointers, and when they leave", async t => {
  const session = await start('control');
  const [watcher, other, mover, witness] = [
    await session.join(),
    await session.join(),
    await session.join(),
    await session.join(),
  ];
  await session.call('POST', '/addRoles', [[await idOf(watcher), await idOf(witness)], ['cursor_data']]);
  mover.input({ type: 'move', x: 0.25, y: 1 });
  const told = await watcher.heard('pointer', ({ x }) => x !== undefined);
  t.equal(told.user_id, await idOf(mover));
  t.ok(Math.abs((told.x ?? 0) - 0.25) < 0.0001);
  t.equal(told.y, 1);
  mover.leave();
  await watcher.heard('pointer', ({ user_id, x }) => user_id === told.user_id && x === undefined);
  t.same(other.all('pointer'), []);

  await session.call('POST', '/removeRoles', [[await idOf(watcher)], ['cursor_data']]);
  await watcher.heard('access', ({ roles }) => !roles.includes('cursor_data') && watcher.all('access').length > 2);
  const before = watcher.all('pointer').length;
  other.input({ type: 'move', x: 0.5, y: 0.5 });
  await witness.heard('pointer', ({ y }) => y !== undefined && Math.abs(y - 0.5) < 0.0001);
  t.equal(watcher.all('pointer').length, before, 'not after the role was taken');
});

t.test('whoever understands it is told of all pointers in one message, older pages of each in its own', async t => {
  const session = await start('cursor_data');
  const newer = await StreamClient.join(StreamClient.version(session.stream, 2));
  const older = await session.join();
  const movers = [await session.join(), await session.join(), await session.join()];
  const ids = await Promise.all(movers.map(idOf));
  for (let i = 1; i <= 10; i++) {
    for (const mover of movers) mover.input({ type: 'move', x: i / 10, y: 0 });
    newer.input({ type: 'move', x: i / 10, y: 1 });
    await wait(20);
  }
  const positionsOf = (viewer: StreamClient) => {
    const all = [...viewer.all('pointer'), ...viewer.all('pointers').flatMap(({ pointers }) => pointers)];
    return new Map(all.map(({ user_id, x }) => [user_id, x]));
  };
  const own = await idOf(newer);
  for (const viewer of [newer, older])
    await until('the last', () => [...ids, own].every(id => positionsOf(viewer).get(id) === 1));
  t.same(newer.all('pointer'), []);
  t.same(older.all('pointers'), []);
  t.ok(older.all('pointer').length > 3 * newer.all('pointers').length, 'one message for all');
  movers[0]?.leave();
  for (const viewer of [newer, older])
    await until(
      'it has gone',
      () => positionsOf(viewer).has(ids[0] ?? '') && positionsOf(viewer).get(ids[0] ?? '') === undefined,
    );
});

t.test('more pointers than can be told at once take turns', async t => {
  const session = await start('cursor_data');
  const viewers = await Promise.all(Array.from({ length: 40 }, () => session.join()));
  for (const viewer of viewers) viewer.input({ type: 'move', x: 0.5, y: 0.5 });
  for (const viewer of viewers)
    await until('all others', () => new Set(viewer.all('pointer').map(({ user_id }) => user_id)).size === 39);
  t.pass();
});

t.test("at most 30 positions a second, always including the last; never one's own", async t => {
  const session = await start('cursor_data');
  const [watcher, mover] = [await session.join(), await session.join()];
  const begun = performance.now();
  for (let i = 1; i <= 200; i++) {
    mover.input({ type: 'move', x: i / 200, y: 0 });
    await wait(2);
  }
  await until('the last', () => watcher.all('pointer').at(-1)?.x === 1);
  const most = ((performance.now() - begun) / 1000) * 30 + 2;
  const count = watcher.all('pointer').length;
  t.ok(count >= 5 && count <= most, `${count} of at most ${most}`);
  t.same(mover.all('pointer'), []);
});
