import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import type { Role } from '../../src/protocol/generated/schemas.js';
import { startFakedSession } from '../fixtures/in-process-session.js';
import type { StreamClient } from '../fixtures/stream-client.js';
import { until } from '../fixtures/until.js';

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
