/** What a start request gives all viewers, as viewers and the session's agent have it. */
import t from 'tap';
import { MessageType } from '../../../../src/protocol/message-type.js';
import { encodePad } from '../../../../src/protocol/pad.js';
import { serveInProcess } from '../../../fixtures/services/in-process.js';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';
import { textMessage } from '../../../fixtures/agents/messages.js';
import type { StreamClient } from '../../../fixtures/viewers/stream-client.js';
import { until } from '../../../fixtures/until.js';

const press = (viewer: StreamClient, keysym: number) => viewer.input({ type: 'key', down: true, keysym });
const GAME = { type: 'nes', room_url: 'http://127.0.0.1:9/game.nes' };

t.test('default_roles replace the roles that viewers have by default', async t => {
  const plain = await startFakedSession(t);
  t.same((await (await plain.join()).heard('access')).roles, ['chrome_apis', 'resize', 'control']);

  const session = await startFakedSession(t, { default_roles: ['clipboard_copy', 'file_download'] });
  const { agent } = session.service;
  const [viewer, admin] = [await session.join(), await session.join({ admin_token: session.adminToken })];
  t.match(await viewer.heard('access'), { admin: false, roles: ['clipboard_copy', 'file_download'] });
  press(viewer, 0x61);
  t.match((await viewer.call('tabs.query', {})).error, { code: 'role_required' });
  press(admin, 0x62);
  await until('the key of the admin', () => agent.messages(MessageType.key).length > 0);
  t.same(
    agent.messages(MessageType.key).map(({ user }) => user),
    [2],
    'no key of who has no role for it',
  );
  agent.send(textMessage(MessageType.clipboard, 'copied'));
  t.equal((await viewer.heard('clipboard')).text, 'copied');
  t.same(
    (
      await startFakedSession(t, { default_roles: [] })
        .then(none => none.join())
        .then(who => who.heard('access'))
    ).roles,
    [],
  );
});

t.test('control_disable_default: only admins control a browser until control is granted', async t => {
  const session = await startFakedSession(t, { control_disable_default: true });
  const { agent } = session.service;
  const [viewer, admin] = [await session.join(), await session.join({ admin_token: session.adminToken })];
  t.match(await viewer.heard('access'), {
    roles: ['chrome_apis', 'resize', 'control'],
    permissions: { control_disabled: true },
  });
  press(viewer, 0x61);
  viewer.tell({ type: 'resize', width: 800, height: 600 });
  t.match(await viewer.heard('refused'), { code: 'role_required' });
  press(admin, 0x62);
  await until('the key of the admin', () => agent.messages(MessageType.key).length > 0);
  t.same(
    agent.messages(MessageType.key).map(({ user }) => user),
    [2],
  );
  const { user_id } = await viewer.heard('welcome');
  t.equal((await session.call('POST', '/setPermissions', [user_id, { control_disabled: false }])).status, 200);
  press(viewer, 0x63);
  await until('the key of who was given control', () => agent.messages(MessageType.key).some(({ user }) => user === 1));
});

t.test('max_area: by default viewers may make a small display as large as 1280 x 720', async t => {
  const service = await serveInProcess(t);
  const areas: [object, number][] = [
    [{ width: 640, height: 480 }, 1280 * 720],
    [{}, 1280 * 720],
    [{ width: 1920, height: 1080 }, 1920 * 1080],
    [{ width: 640, height: 480, max_area: 640 * 480 }, 640 * 480],
  ];
  for (const [options, area] of areas) {
    const viewer = await (await startFakedSession(t, options, service)).join();
    t.match(await viewer.heard('display'), { max_area: area }, JSON.stringify(options));
  }
  const viewer = await (await startFakedSession(t, { width: 640, height: 480 }, service)).join();
  viewer.tell({ type: 'resize', width: 800, height: 600 });
  await until('the agent is asked for it', () => service.agent.messages(MessageType.setDisplay).length > 0);
});

t.test('region: NA by default, and the first one where there is no NA', async t => {
  const regionOf = async (regions: string, body = {}) => {
    const { api } = await serveInProcess(t, { BERTH_REGIONS: regions });
    const { status } = await api('POST', '/v0/vm', body);
    return status;
  };
  t.equal(await regionOf('EU=unix:///a'), 201, 'the only one');
  t.equal(await regionOf('AS=unix:///a,EU=unix:///b'), 201, 'the first one');
  t.equal(await regionOf('EU=unix:///a', { region: 'NA' }), 422, 'not where another one is asked for');
});

t.test('control_disable_default and default_roles apply to consoles too', async t => {
  const service = await serveInProcess(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
  for (const options of [{ control_disable_default: true }, { default_roles: [] }]) {
    const session = await startFakedSession(t, { ...GAME, ...options }, service);
    const [viewer, admin] = [await session.join(), await session.join({ admin_token: session.adminToken })];
    const pads = () => service.agent.messages(MessageType.pad).map(({ user }) => user);
    const before = pads().length;
    const { user_id: adminId } = await admin.heard('welcome');
    t.match((await viewer.call('takeSeat')).error, { code: 'role_required' }, JSON.stringify(options));
    await admin.heard('seats', ({ seats }) => seats[0]?.user_id === adminId);
    for (const each of [viewer, admin])
      each.send(encodePad({ type: 'pad', player: 0, control: 'button', id: 0, down: true }));
    await until('the pad of the admin', () => pads().length > before);
    t.same(pads().slice(before), [2], 'the pad of the viewer plays nothing');
    await service.api('DELETE', `/v0/vm/${session.id}`);
  }
});
