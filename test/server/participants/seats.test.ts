import t, { type Test } from 'tap';
import type { Launch } from '../../../src/protocol/generated/schemas.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { decodePad, encodePad, PadButton, type PadEvent } from '../../../src/protocol/pad.js';
import { SESSION, startSession, targetOf } from '../../fixtures/services/session-host.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const launch: Launch = {
  type: 'launch',
  kind: 'nes',
  display: { width: 1280, height: 720, fps: 60, max_area: 1280 * 720, quality: 'smooth', hide_cursor: false },
  console: { max_bytes: 1e6 },
};
type Defaults = ReturnType<typeof targetOf>['defaults'];

/** A console with viewers. */
async function start(t: Test, defaults: Partial<Defaults> = {}) {
  const all: Defaults = { roles: ['chrome_apis', 'resize', 'control'], control_disabled: false, ...defaults };
  const { agent, host, url } = await startSession(t, { launch, defaults: all });
  return {
    agent,
    join: async (adminToken?: string, seats?: number[], ticket?: string) => {
      const client = await StreamClient.join(url, {
        ...(adminToken === undefined ? {} : { admin_token: adminToken }),
        ...(seats === undefined ? {} : { seats }),
        ...(ticket === undefined ? {} : { ticket }),
      });
      return { client, id: client.all('welcome')[0]?.user_id ?? '' };
    },
    users: host.connection().room.users,
    /** What integrators ask of the session's address. */
    perform: (method: string, ...args: unknown[]) => host.perform(method, args),
    pads: () => agent.messages(MessageType.pad).map(({ bytes }) => decodePad(bytes)),
  };
}

const a = (player: number, down: boolean): PadEvent => ({
  type: 'pad',
  player,
  control: 'button',
  id: PadButton.a,
  down,
});
const send = ({ client }: { client: StreamClient }, event: PadEvent) => client.send(encodePad(event));
const playersOf = ({ client }: { client: StreamClient }) =>
  client
    .all('seats')
    .at(-1)
    ?.seats.map(({ user_id }) => user_id);
const seated = (viewer: { client: StreamClient }, ...users: (string | null)[]) =>
  until(`the players are ${users.join(', ')}`, () => {
    const players = playersOf(viewer) ?? [];
    return players.every((user, i) => user === (users[i] ?? null)) && players.length === 4;
  });

t.test('the first viewer is player 1, others watch until they take a seat, and all are told', async t => {
  const { join } = await start(t);
  const one = await join();
  t.same(playersOf(one), [one.id, null, null, null], 'it knows when it has joined');
  t.equal(one.client.all('seats').length, 1, 'and is told once');
  const two = await join();
  t.same(playersOf(two), [one.id, null, null, null]);
  t.match(await two.client.call('takeSeat'), {
    value: [
      { player: 1, user_id: one.id },
      { player: 2, user_id: two.id },
    ],
  });
  await seated(one, one.id, two.id);
  t.match(await two.client.call('takeSeat', 4), { value: { 3: { player: 4, user_id: two.id } } });
  await seated(one, one.id, two.id, null, two.id);
  await two.client.call('leaveSeat', 4);
  await seated(one, one.id, two.id);
  await two.client.call('leaveSeat');
  await seated(one, one.id);
});

t.test('whoever reconnects before the lost connection is noticed is the player it was', async t => {
  const { join, users } = await start(t);
  const one = await join();
  await one.client.call('takeSeat', 3);
  const { ticket = '' } = one.client.all('welcome')[0] ?? {};
  const closed = one.client.closed();
  const stranger = await join(undefined, [1], 'nobody’s');
  t.same(playersOf(stranger), [one.id, null, one.id, null], 'by nothing but its ticket');
  const again = await join(undefined, [1, 3], ticket);
  t.same(playersOf(again), [again.id, null, again.id, null]);
  t.equal(await closed, 1000);
  t.same(
    users?.list(({ userId }) => userId).map(({ user_id }) => user_id),
    [stranger.id, again.id],
  );
});

t.test('whoever reconnects is the player it was, unless somebody took the seat', async t => {
  const { join } = await start(t);
  const two = await join(undefined, [2]);
  t.same(playersOf(two), [null, two.id, null, null], 'the first to come back is not made player 1');
  const watcher = await join(undefined, []);
  t.same(playersOf(watcher), [null, two.id, null, null], 'nor is who watched');
  const others = await join(undefined, [1, 2, 4]);
  t.same(playersOf(others), [others.id, two.id, null, others.id]);
  const { join: joinWithout } = await start(t, { roles: [] });
  t.same(playersOf(await joinWithout(undefined, [1])), [null, null, null, null], 'it needs the role still');
});

t.test('seats that are not available are refused with a reason', async t => {
  const { join, perform } = await start(t);
  const viewers = await Promise.all([join(), join(), join(), join()]);
  const watcher = await join();
  for (const { client } of viewers) await client.call('takeSeat');
  await until('all seats are taken', () => playersOf(watcher)?.every(user => user !== null));
  t.match(await watcher.client.call('takeSeat', 2), {
    error: { code: 'seat_taken', message: 'Player 2 is taken by somebody else.' },
  });
  t.match(await watcher.client.call('takeSeat'), { error: { code: 'seat_taken', message: 'All seats are taken.' } });
  for (const args of [[0], [5], [1.5], ['1'], [1, 2]])
    t.match(await watcher.client.call('takeSeat', ...args), { error: { code: 'invalid_arguments' } });
  t.match(await watcher.client.call('seats', 1, watcher.id), { error: { code: 'admin_required' } });
  await t.rejects(perform('takeSeat'), { code: 'unknown_method' });
  await t.rejects(perform('seats', 1, 'nobody'), { code: 'user_not_found' });
});

t.test('pads play the seats of their viewers only', async t => {
  const { agent, join, pads } = await start(t);
  const one = await join();
  const two = await join();
  send(two, a(0, true));
  send(two, a(1, true));
  await two.client.call('takeSeat');
  send(two, a(0, true));
  send(two, a(1, true));
  await until('the pad of player 2', () => pads().length > 0);
  one.client.input({ type: 'key', down: true, keysym: 0x78 });
  send(one, a(0, true));
  await until('the pad of player 1', () => pads().length > 1);
  t.same(pads(), [a(1, true), a(0, true)]);
  t.same(
    agent.messages(MessageType.pad).map(({ user }) => user > 0),
    [true, true],
  );
});

t.test('leaving, or losing control or the seat, releases what was held', async t => {
  const { join, perform, users, pads } = await start(t);
  const one = await join();
  const two = await join();
  const hold = async (viewer: typeof one, player: number) => {
    const before = pads().length;
    send(viewer, a(player, true));
    await until('it is held', () => pads().length > before);
  };
  const released = async (why: string, player: number, count: number) => {
    await until(why, () => pads().length === count);
    t.same(pads().at(-1), a(player, false), why);
  };
  await two.client.call('takeSeat');
  await hold(two, 1);
  await two.client.call('leaveSeat');
  await released('the seat was left', 1, 2);

  await two.client.call('takeSeat', 2);
  await hold(two, 1);
  await users.changeRoles('remove', [two.id], ['control'], false);
  await released('the role was taken', 1, 4);
  await seated(one, one.id);
  t.match(await two.client.call('takeSeat'), {
    error: { code: 'role_required', message: 'Playing needs the role control.' },
  });
  await t.rejects(perform('seats', 2, two.id), { code: 'role_required' });
  await users.changeRoles('add', [two.id], ['control'], false);

  await two.client.call('takeSeat', 2);
  await hold(two, 1);
  users.setPermissions(two.id, { control_disabled: true });
  await released('control was disabled', 1, 6);
  users.setPermissions(two.id, { control_disabled: false });

  await hold(one, 0);
  t.match(await perform('seats', 1, two.id), [{ player: 1, user_id: two.id }]);
  await released('the seat was given to another', 0, 8);
  await seated(one, two.id);

  await hold(two, 0);
  two.client.leave();
  await released('the viewer has left', 0, 10);
  await seated(one, null);
});

t.test('where control is disabled only admins play, until one grants it', async t => {
  const { join, users } = await start(t, { control_disabled: true });
  const viewer = await join();
  t.same(playersOf(viewer), [null, null, null, null]);
  t.match(await viewer.client.call('takeSeat'), { error: { code: 'role_required' } });
  t.match(await viewer.client.call('console.reset'), { error: { code: 'role_required' } });
  const admin = await join(`admin-${SESSION}`);
  await seated(viewer, admin.id);
  users.setPermissions(viewer.id, { control_disabled: false });
  await viewer.client.call('takeSeat');
  await seated(admin, admin.id, viewer.id);
});

t.test('a higher priority pre-empts players: pads, calls and seats, until idle or gone', async t => {
  const { agent, join, users, pads } = await start(t);
  const called: string[] = [];
  agent.onCall = method => {
    called.push(method);
    return { value: null };
  };
  const [guest, host] = [await join(), await join()];
  send(guest, a(0, true));
  await until('it is held', () => pads().length === 1);
  users.setPermissions(host.id, { priority: 1, idle_timeout: 600 });
  send(guest, { ...a(0, true), id: PadButton.b });
  await until('nobody is pre-empted by who has done nothing', () => pads().length === 2);
  await host.client.call('takeSeat', 2);
  await guest.client.heard('access', ({ controls }) => !controls);
  await until('what the guest holds is let go of', () => pads().length === 4);
  t.same(pads().slice(2), [a(0, false), { ...a(0, false), id: PadButton.b }]);
  send(guest, a(0, true));
  for (const [method, ...args] of [
    ['takeSeat', 3],
    ['console.pause', true],
    ['console.reset'],
    ['console.saveState', 1],
  ] as const) {
    t.match(await guest.client.call(method, ...args), { error: { code: 'control_taken' } }, method);
  }
  t.same(called, [], 'nothing reached the console');
  send(host, a(1, true));
  await until('the pad of the host', () => pads().length === 5);
  t.same(pads().at(-1), a(1, true));
  await guest.client.heard('access', ({ controls }) => controls === true && guest.client.all('access').length > 2);
  send(guest, a(0, true));
  await until('the guest plays again, in its own seat', () => pads().length === 6);
  t.same(pads().at(-1), a(0, true));

  users.setPermissions(host.id, { idle_timeout: 0 });
  await until('it is let go of', () => pads().length === 7);
  t.match(
    await host.client.call('takeSeat', 1),
    { value: [{ user_id: host.id }, { user_id: host.id }] },
    'a seat of who does not control',
  );
  host.client.leave();
  await seated(guest, null);
  t.match(await guest.client.call('takeSeat', 1), { value: [{ user_id: guest.id }] });
});

t.test('with exclusive control nobody else can use a pad', async t => {
  const { join, users, pads } = await start(t);
  const [one, two] = [await join(), await join()];
  await two.client.call('takeSeat', 2);
  send(one, a(0, true));
  await until('it is held', () => pads().length === 1);
  users.setPermissions(two.id, { control_exclusive: true });
  await until('it is let go of', () => pads().length === 2);
  send(one, a(0, true));
  t.match(await one.client.call('takeSeat', 3), { error: { code: 'control_taken' } });
  send(two, a(1, true));
  await until('the pad of player 2', () => pads().length === 3);
  t.same(pads().slice(1), [a(0, false), a(1, true)]);
  users.setPermissions(two.id, { control_exclusive: false });
  send(one, a(0, true));
  await until('player 1 plays again', () => pads().length === 4);
  t.same(pads().at(-1), a(0, true));
});

t.test('a browser has no seats, and a console no browser', async t => {
  const browser = await startSession(t);
  const viewer = await StreamClient.join(browser.url);
  t.same(viewer.all('seats'), []);
  t.match(await viewer.call('takeSeat'), { error: { code: 'not_a_console' } });
  t.match(await viewer.call('console.reset'), { error: { code: 'not_a_console' } });
  const { join, perform } = await start(t);
  const { client } = await join();
  t.match(await client.call('tabs.query', {}), { error: { code: 'not_a_browser' } });
  for (const [method, ...args] of [
    ['tabs.query', {}],
    ['files.choose', ['id']],
    ['files.cancel'],
    ['files.drop', ['id'], 0, 0],
  ] as const) {
    await t.rejects(perform(method, ...args), { code: 'not_a_browser' }, method);
  }
});
