import t from 'tap';
import type { Permissions, Role } from '../../../src/protocol/generated/schemas.js';
import { decideControl } from '../../../src/server/model/access.js';

const NOW = 100_000;

/** Somebody with permissions, who gave input so many ms ago. */
function user(
  name: string,
  permissions: Permissions = {},
  idleMs: number | null = null,
  more: { roles?: Role[]; admin?: boolean } = {},
) {
  const { roles = ['control'], admin = false } = more;
  const all = { priority: 0, idle_timeout: 0, control_disabled: false, control_exclusive: false, ...permissions };
  return {
    name,
    access: { admin, hidden: false, roles, permissions: all },
    inputAt: idleMs === null ? null : NOW - idleMs,
  };
}
type User = ReturnType<typeof user>;
const decide = (...users: User[]) => {
  const { controllers, until } = decideControl(users, NOW);
  return {
    names: [...controllers].map(({ name }) => name).sort(),
    wait: until === null || until === Infinity ? until : until - NOW,
  };
};
const controllers = (...users: User[]) => decide(...users).names;

t.test('equals have control together', async t => {
  t.same(controllers(user('a'), user('b')), ['a', 'b']);
  t.same(controllers(), []);
});

t.test('without the role, or disabled, nobody has control', async t => {
  t.same(controllers(user('a', {}, null, { roles: [] }), user('b', { control_disabled: true }), user('c')), ['c']);
});

t.test('a higher priority pre-empts while connected', async t => {
  t.same(controllers(user('a'), user('b', { priority: 1 }), user('c', { priority: -1 })), ['b']);
  t.same(controllers(user('a', { priority: 1 }), user('b', { priority: 1 })), ['a', 'b']);
});

t.test('a user without control pre-empts nobody', async t => {
  t.same(controllers(user('a'), user('b', { priority: 9, control_disabled: true })), ['a']);
  t.same(controllers(user('a'), user('b', { priority: 9 }, 0, { roles: [] })), ['a']);
});

t.test('with an idle timeout, a higher priority pre-empts only while active', async t => {
  const host = { priority: 1, idle_timeout: 1000 };
  t.same(decide(user('a'), user('host', host, 400)), { names: ['host'], wait: 600 });
  t.same(
    decide(user('a'), user('host', host, 1000)),
    { names: ['a', 'host'], wait: null },
    'and controls when it comes back',
  );
  t.same(controllers(user('a'), user('host', host)), ['a', 'host'], 'no input yet');
  t.same(controllers(user('a', { priority: 1 }), user('b'), user('host', { ...host, priority: 2 }, 2000)), [
    'a',
    'host',
  ]);
  t.same(
    decide(user('a', host, 100), user('b', { priority: 5, idle_timeout: 300 }, 100)).wait,
    200,
    'the first to become idle',
  );
});

t.test('exclusive: only its holders, by their priorities', async t => {
  t.same(controllers(user('a', { priority: 5 }), user('b', { control_exclusive: true })), ['b']);
  t.same(controllers(user('a', { control_exclusive: true }), user('b', { control_exclusive: true, priority: 1 })), [
    'b',
  ]);
  t.same(
    controllers(user('a'), user('b', { control_exclusive: true, control_disabled: true })),
    ['a'],
    'if they control at all',
  );
});

t.test('admins always have control, and pre-empt by priority only', async t => {
  const admin = user('admin', {}, null, { admin: true, roles: [] });
  t.same(controllers(admin, user('a')), ['a', 'admin']);
  t.same(controllers(admin, user('a', { priority: 3 })), ['a', 'admin']);
  t.same(controllers(admin, user('a'), user('b', { control_exclusive: true })), ['admin', 'b']);
  t.same(controllers(user('admin', { priority: 1 }, null, { admin: true }), user('a')), ['admin']);
});
