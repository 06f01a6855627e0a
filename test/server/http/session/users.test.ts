import t from 'tap';
import { MessageType } from '../../../../src/protocol/message-type.js';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';
import { textMessage } from '../../../fixtures/agents/messages.js';
import { serveInProcess } from '../../../fixtures/services/in-process.js';
import type { StreamClient } from '../../../fixtures/viewers/stream-client.js';
import { until } from '../../../fixtures/until.js';

const service = await serveInProcess(t);
const { agent } = service;
const start = (options = {}) => startFakedSession(t, options, service);
const idOf = async (viewer: StreamClient) => (await viewer.heard('welcome')).user_id;
const lastAccess = (viewer: StreamClient) => viewer.all('access').at(-1);
const DEFAULT_PERMISSIONS = { priority: 0, idle_timeout: 0, control_disabled: false, control_exclusive: false };

t.test('users: who is connected, and what they may do', async t => {
  const session = await start();
  t.same((await session.call('GET', '/users')).body, []);
  const before = Date.now();
  const viewer = await session.join();
  const admin = await session.join({ admin_token: session.adminToken });
  const { body } = await session.call('GET', '/users');
  t.match(body, [
    {
      user_id: await idOf(viewer),
      admin: false,
      roles: ['chrome_apis', 'resize', 'control'],
      permissions: DEFAULT_PERMISSIONS,
      ip: /127\.0\.0\.1$/,
      user_agent: '',
    },
    { user_id: await idOf(admin), admin: true },
  ]);
  t.ok(Date.parse(body[0].connected_at) >= before);
  viewer.leave();
  await until('one is left', async () => (await session.call('GET', '/users')).body.length === 1);
});

t.test('a user can be disconnected, and may come back', async t => {
  const session = await start();
  const viewer = await session.join();
  const other = await session.join();
  const closed = viewer.closed();
  const path = `/users/${await idOf(viewer)}`;
  t.match(await session.call('DELETE', path), { status: 200, body: {} });
  t.equal((await viewer.heard('end')).reason, 'kicked');
  t.equal(await closed, 4001);
  t.match(await session.call('DELETE', path), { status: 404, body: { code: 'user_not_found' } });
  await session.join();
  t.equal((await session.call('GET', '/users')).body.length, 2);
  t.same(other.all('end'), []);
});

t.test('roles are granted and revoked at once', async t => {
  const session = await start();
  const [viewer, other] = [await session.join(), await session.join()];
  const id = await idOf(viewer);
  t.same((await session.call('POST', '/addRoles', [[id], ['clipboard_copy', 'control']])).body, {});
  t.same((await viewer.heard('access', ({ roles }) => roles.includes('clipboard_copy'))).roles, [
    'chrome_apis',
    'resize',
    'control',
    'clipboard_copy',
  ]);
  agent.send(textMessage(MessageType.clipboard, 'first'));
  await viewer.heard('clipboard');

  viewer.input({ type: 'key', down: true, keysym: 0x61 });
  await until('the key', () => agent.messages(MessageType.key).length === 1);
  await session.call('POST', '/removeRoles', [[id], ['clipboard_copy', 'control']]);
  await until('what was held is let go of', () => agent.messages(MessageType.key).at(-1)?.bytes[1] === 0);
  viewer.input({ type: 'key', down: true, keysym: 0x62 });
  agent.send(textMessage(MessageType.clipboard, 'second'));
  other.input({ type: 'key', down: true, keysym: 0x63 });
  await until('the key of the other', () => agent.messages(MessageType.key).at(-1)?.bytes[2] === 0x63);
  t.equal(agent.messages(MessageType.key).length, 3);
  t.equal(viewer.all('clipboard').length, 1);
  t.same(other.all('clipboard'), []);
});

t.test('an unknown user is an error, and nothing changes', async t => {
  const session = await start();
  const viewer = await session.join();
  const answer = await session.call('POST', '/removeRoles', [[await idOf(viewer), 'nobody'], ['control']]);
  t.match(answer, { status: 404, body: { code: 'user_not_found', message: /nobody/ } });
  t.match(await session.call('POST', '/setPermissions', ['nobody', {}]), { status: 404 });
  t.match((await session.call('GET', '/users')).body, [{ roles: ['chrome_apis', 'resize', 'control'] }]);
});

t.test('exclusive: everyone except those, later ones included', async t => {
  const session = await start();
  const [one, two] = [await session.join(), await session.join()];
  await session.call('POST', '/removeRoles', [[await idOf(one)], ['control'], true]);
  await two.heard('access', ({ roles }) => !roles.includes('control'));
  t.ok(lastAccess(one)?.roles.includes('control'));
  const later = await session.join();
  t.same(lastAccess(later)?.roles, ['chrome_apis', 'resize'], 'a reload does not give the role back');

  await session.call('POST', '/addRoles', [[], ['control'], true]);
  await later.heard('access', ({ roles }) => roles.includes('control'));
  t.ok(lastAccess(await session.join())?.roles.includes('control'));
});

const keysOf = () => agent.messages(MessageType.key).map(({ bytes }) => bytes.readUInt32LE(2));
const press = (viewer: StreamClient, keysym: number) => viewer.input({ type: 'key', down: true, keysym });

t.test('addRoles of control grants control where it is disabled by default', async t => {
  const session = await start({ control_disable_default: true });
  const [viewer, other] = [await session.join(), await session.join()];
  const id = await idOf(viewer);
  agent.received.length = 0;
  t.match(await session.call('POST', '/addRoles', [[id], ['resize', 'chrome_apis']]), { status: 200 });
  t.match(await session.call('POST', '/addRoles', [[id], ['control']]), { status: 200, body: {} });
  await viewer.heard('access', ({ permissions, controls }) => !permissions.control_disabled && controls === true);
  press(other, 0x61);
  press(viewer, 0x62);
  await until('the key', () => keysOf().length > 0);
  t.same(keysOf(), [0x62], 'of nobody else');

  await session.call('POST', '/removeRoles', [[id], ['control']]);
  await viewer.heard('access', ({ roles }) => !roles.includes('control'));
  t.notOk(lastAccess(viewer)?.permissions.control_disabled, 'taking the role changes no permission');
  await session.call('POST', '/setPermissions', [id, { control_disabled: true }]);
  await session.call('POST', '/addRoles', [[id], ['control']]);
  await viewer.heard('access', ({ roles, permissions }) => roles.includes('control') && !permissions.control_disabled);
  t.ok(lastAccess(await session.join())?.permissions.control_disabled, 'later users are as before');
});

t.test('addRoles of control with exclusive grants it to later users, too', async t => {
  const session = await start({ control_disable_default: true });
  const [except, viewer] = [await session.join(), await session.join()];
  agent.received.length = 0;
  await session.call('POST', '/addRoles', [[await idOf(except)], ['control'], true]);
  await viewer.heard('access', ({ controls }) => controls === true);
  const later = await session.join();
  t.match(lastAccess(later), { controls: true, permissions: { control_disabled: false } });
  t.ok(lastAccess(except)?.permissions.control_disabled);
  press(except, 0x61);
  press(viewer, 0x62);
  press(later, 0x63);
  await until('both keys', () => keysOf().length > 1);
  t.same(keysOf().sort(), [0x62, 0x63]);
});

t.test('permissions: omitted keys keep their values', async t => {
  const session = await start({ control_disable_default: true });
  const viewer = await session.join();
  const id = await idOf(viewer);
  const set = async (change: object) => (await session.call('POST', '/setPermissions', [id, change])).body;
  t.same(await set({ priority: -2 }), { ...DEFAULT_PERMISSIONS, control_disabled: true, priority: -2 });
  t.same(await set({ control_disabled: false }), { ...DEFAULT_PERMISSIONS, priority: -2 });
  t.same(await set({}), { ...DEFAULT_PERMISSIONS, priority: -2 });
  await viewer.heard('access', ({ permissions }) => !permissions.control_disabled && permissions.priority === -2);
  const all = { priority: 7, idle_timeout: 1500, control_disabled: false, control_exclusive: true };
  t.same(await set({ idle_timeout: 1500, control_exclusive: true }), { ...all, priority: -2 });
  t.same(await set({ priority: 7 }), all);
  t.match((await session.call('GET', '/users')).body, [{ user_id: id, permissions: all }], 'told of every user');
  await viewer.heard('access', ({ permissions }) => permissions.idle_timeout === 1500 && permissions.priority === 7);
});

t.test('viewers can make the calls over their sockets that their roles allow', async t => {
  const session = await start();
  agent.onCall = method =>
    method === 'tabs.get' ? { error: { code: 'tab_error', message: 'No tab.' } } : { value: [method] };
  const viewer = await session.join();
  const id = await idOf(viewer);
  t.same((await viewer.call('tabs.query', {})).value, ['tabs.query']);
  t.same((await viewer.call('tabs.get', 1)).error, { code: 'tab_error', message: 'No tab.' });
  t.match((await viewer.call('tabs.query', ...Array(17).fill(0))).error, { code: 'invalid_arguments' });
  t.match((await viewer.call('tabs.captureVisibleTab')).error, { code: 'unknown_method' });
  for (const method of ['addRoles', 'removeRoles', 'setPermissions'])
    t.match((await viewer.call(method, [id], ['file_upload'])).error, { code: 'admin_required' });
  t.match((await viewer.call('files.cancel')).error, { code: 'role_required' });

  const admin = await session.join({ admin_token: session.adminToken });
  t.same((await admin.call('addRoles', [id], ['file_upload'])).value, {});
  t.same((await viewer.call('files.cancel')).value, ['files.cancel']);
  t.same((await admin.call('setPermissions', id, { priority: 3 })).value, { ...DEFAULT_PERMISSIONS, priority: 3 });
  t.match((await admin.call('setPermissions', id, { priority: 'x' })).error, {
    code: 'invalid_arguments',
    message: /\/1\/priority/,
  });
  await admin.call('removeRoles', [id], ['chrome_apis']);
  t.match((await viewer.call('tabs.query', {})).error, { code: 'role_required' });
});

t.test('one viewer cannot use up all capacity for calls', async t => {
  const session = await start();
  agent.onCall = undefined;
  const viewer = await session.join();
  for (let id = 1; id <= 40; id++) viewer.tell({ type: 'call', id, method: 'tabs.query', args: [] });
  await until('the refusals', () => viewer.all('result').length === 8);
  t.match(
    viewer.all('result').map(({ error }) => error?.code),
    Array(8).fill('too_many_calls'),
  );
});
