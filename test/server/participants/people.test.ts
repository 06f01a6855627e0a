// tags: random
import t from 'tap';
import type { Users } from '../../../src/protocol/generated/schemas.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { participantWebhook, say } from '../../fixtures/services/participant-webhook.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { seedOf, sequence } from '../../fixtures/seed.js';
import { until } from '../../fixtures/until.js';

const service = await serveInProcess(t, { BERTH_VIEWERS_PER_SESSION: '0', BERTH_VIEWERS_PER_ADDRESS: '0' });
const idOf = async (viewer: StreamClient) => (await viewer.heard('welcome')).user_id;
const newest = (viewer: StreamClient): Users['users'] => viewer.all('users').at(-1)?.users ?? [];
const names = (viewer: StreamClient) => newest(viewer).map(({ name }) => name);

t.test('holders of user_list see who is here, guests by number, and whoever is given the role later', async t => {
  const session = await startFakedSession(t, { default_roles: ['control'] }, service);
  const [admin, guest] = [await session.join({ admin_token: session.adminToken }), await session.join()];
  await until('both are in the list', () => newest(admin).length === 2);
  t.same(names(admin), ['Guest 1', 'Guest 2']);
  t.match(newest(admin), [
    { user_id: await idOf(admin), admin: true, controls: true },
    { user_id: await idOf(guest), admin: false, controls: true, control_disabled: false },
  ]);
  t.same(guest.all('users'), [], 'off by default');

  await session.call('POST', '/addRoles', [[await idOf(guest)], ['user_list']]);
  await until('the list', () => newest(guest).length === 2);
  await session.call('POST', '/setPermissions', [await idOf(guest), { control_disabled: true }]);
  await until('the change', () => newest(admin)[1]?.control_disabled === true && !newest(admin)[1]?.controls);

  admin.leave();
  await until('the admin has left', () => newest(guest).length === 1);
  const next = await session.join({ admin_token: session.adminToken });
  await until('the next one', () => names(next).includes('Guest 1'));
  t.same(names(next).sort(), ['Guest 1', 'Guest 2'], 'a number that is free is given again');
  guest.leave();
  next.leave();
});

t.test('an admin disconnects a user by a call; others may not', async t => {
  const session = await startFakedSession(t, {}, service);
  const [admin, guest] = [await session.join({ admin_token: session.adminToken }), await session.join()];
  t.match(await guest.call('disconnectUser', await idOf(admin)), { error: { code: 'admin_required' } });
  t.match(await admin.call('disconnectUser', 'nobody'), { error: { code: 'user_not_found' } });
  t.match(await admin.call('disconnectUser', await idOf(guest)), { value: {} });
  t.match(await guest.heard('end'), { reason: 'kicked' });
  await until('the list is one shorter', () => newest(admin).length === 1);
  admin.leave();
});

t.test('a viewer whose connection was replaced keeps its number', async t => {
  const session = await startFakedSession(t, {}, service);
  const admin = await session.join({ admin_token: session.adminToken });
  const guest = await session.join();
  const { ticket = '' } = await guest.heard('welcome');
  const again = await session.join({ ticket });
  const id = await idOf(again);
  await until('it is in the list', () => newest(admin).some(({ user_id }) => user_id === id));
  await until('its former connection is not', () => newest(admin).length === 2);
  t.same(names(admin), ['Guest 1', 'Guest 2']);
  for (const viewer of [admin, again]) viewer.leave();
});

t.test("the webhook's answer names users and admins; what cannot be shown is left out", async t => {
  const webhook = await participantWebhook(t);
  const auth = { type: 'webhook', value: { url: webhook.url } };
  const session = await startFakedSession(t, { auth }, service);
  const answers: [given: object, shown: object][] = [
    [
      { name: 'Ada', color: '#7048E8' },
      { name: 'Ada', color: '#7048e8' },
    ],
    [{ name: '  Gr\u0000ace \u202e Hopper\n' }, { name: 'Gr ace Hopper' }],
    [{ name: 'é'.repeat(50) }, { name: 'é'.repeat(40) }],
    [{ name: '👋'.repeat(50) }, { name: '👋'.repeat(40) }],
    [
      { name: '\u200b\u2066', color: 'red' },
      { name: 'Guest 6', color: undefined },
    ],
    [
      { name: 7, color: null },
      { name: 'Guest 7', color: undefined },
    ],
  ];
  webhook.answer = ({ response }) => say(response, { authorized: true, name: 'The host' });
  const admin = await session.join({ admin_token: session.adminToken });
  await until('the admin is named', () => names(admin)[0] === 'The host');
  const viewers = [admin];
  for (const [given, shown] of answers) {
    webhook.answer = ({ response }) => say(response, { authorized: true, ...given });
    const viewer = await session.join();
    const id = await idOf(viewer);
    const user = await until('it is in the list', () => newest(admin).find(({ user_id }) => user_id === id));
    t.match(user, shown, JSON.stringify(given));
    t.equal('color' in user, 'color' in shown && shown.color !== undefined);
    viewers.push(viewer);
  }
  const { body } = await session.call('GET', '/users');
  t.match((body as object[])[1], { name: 'Ada', color: '#7048e8' }, 'REST tells the same');
  t.same(
    (body as { name: string }[]).map(({ name }) => name),
    names(admin),
  );
  for (const viewer of viewers) viewer.leave();
});

t.test('1,000 joins and leaves at random: three admins have the same list soon after', async t => {
  const random = sequence(seedOf(t));
  const session = await startFakedSession(t, {}, service);
  const admins = await Promise.all(Array.from({ length: 3 }, () => session.join({ admin_token: session.adminToken })));
  const here = new Map<string, StreamClient>();
  for (let done = 0; done < 1000;) {
    const joins = here.size < 5 || (here.size < 60 && random(2) === 0);
    const many = 1 + random(10);
    if (joins) {
      const viewers = await Promise.all(Array.from({ length: many }, () => session.join()));
      for (const viewer of viewers) here.set(await idOf(viewer), viewer);
      done += many;
    } else {
      for (const [id, viewer] of [...here].slice(0, many)) {
        viewer.leave();
        here.delete(id);
        done++;
      }
    }
  }
  const begun = performance.now();
  const expected = JSON.stringify([...(await Promise.all(admins.map(idOf))), ...here.keys()].sort());
  const listOf = (viewer: StreamClient) =>
    JSON.stringify(
      newest(viewer)
        .map(({ user_id }) => user_id)
        .sort(),
    );
  await until('all are right', () => admins.every(admin => listOf(admin) === expected));
  t.comment(`after ${(performance.now() - begun).toFixed()} ms`);
  t.same(newest(admins[1] as StreamClient), newest(admins[0] as StreamClient));
  t.same(newest(admins[2] as StreamClient), newest(admins[0] as StreamClient));
  const lists = admins[0]?.all('users').length ?? 0;
  t.ok(lists < 1000, `${lists} lists`);
  for (const viewer of [...admins, ...here.values()]) viewer.leave();
});
