import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { decodeInput, type InputEvent } from '../../../src/protocol/input.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { stopwatch } from '../../fixtures/own-time.js';
import type { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const key = (keysym: number, down = true): InputEvent => ({ type: 'key', down, keysym });
const button = (down: boolean, x = 0): InputEvent => ({ type: 'button', button: 0, down, x, y: 0 });
const move = (x: number): InputEvent => ({ type: 'move', x, y: 0 });
const idOf = async (viewer: StreamClient) => (await viewer.heard('welcome')).user_id;
const controls = (viewer: StreamClient) => viewer.all('access').at(-1)?.controls;

/** A session with so many viewers, and what reached its agent. */
async function share(t: Test, count: number, options: object = {}) {
  const session = await startFakedSession(t, options);
  const viewers: StreamClient[] = [];
  for (let i = 0; i < count; i++) viewers.push(await session.join());
  const { agent } = session.service;
  const inputs = () =>
    agent.received.flatMap(({ user, bytes }) => {
      const event = decodeInput(bytes);
      return event === null ? [] : [{ user, event }];
    });
  /** Sends a key that marks a moment, and waits for it. */
  const mark = async (viewer: StreamClient) => {
    viewer.input(key(0xff0d));
    await until('the mark', () => inputs().some(({ event }) => event.type === 'key' && event.keysym === 0xff0d));
    return inputs();
  };
  const set = async (viewer: StreamClient, permissions: object) =>
    (await session.call('POST', '/setPermissions', [await idOf(viewer), permissions])).body;
  return { session, viewers: viewers as [StreamClient, StreamClient, StreamClient], agent, inputs, mark, set };
}

t.test('a higher priority takes control at once: what the others hold is released, and they are told', async t => {
  const { viewers, inputs, mark, set } = await share(t, 2);
  const [host, guest] = viewers;
  t.same([controls(host), controls(guest)], [true, true]);
  guest.input(key(0x61));
  guest.input(button(true));
  await until('both', () => inputs().length === 2);
  await set(host, { priority: 1 });
  await guest.heard('access', access => access.controls === false);
  await until('the releases', () => inputs().length === 4);
  t.same(
    inputs()
      .slice(2)
      .map(({ event }) => event),
    [key(0x61, false), button(false)],
  );
  t.ok(controls(host));
  guest.input(key(0x62));
  guest.input(key(0x61, false));
  guest.send(Buffer.concat([Buffer.of(MessageType.clipboard), Buffer.from('text')]));
  guest.tell({ type: 'swipe', direction: 'left' });
  t.equal((await mark(host)).length, 5);

  host.leave();
  await guest.heard('access', access => access.controls === true && guest.all('access').length > 2);
});

t.test('idle timeout: the others have control while the host is idle', async t => {
  const { viewers, set } = await share(t, 2);
  const [host, guest] = viewers;
  await set(host, { priority: 1, idle_timeout: 300 });
  t.ok(controls(guest), 'the host has done nothing yet');
  const [begun, watch] = [performance.now(), stopwatch(t)];
  host.input(move(0.5));
  const taken = await guest.heard('access', access => access.controls === false);
  await until('back', () => guest.all('access').indexOf(taken) < guest.all('access').length - 1 && controls(guest));
  t.ok(performance.now() - begun > 290 && watch() < 800, `${watch()} ms`);
  t.ok(controls(host));
});

t.test('exclusive: only this user has control, until it has left', async t => {
  const { viewers, mark, set } = await share(t, 3);
  const [one, two, three] = viewers;
  await set(two, { control_exclusive: true });
  for (const viewer of [one, three]) await viewer.heard('access', access => access.controls === false);
  one.input(key(0x61));
  t.match(await mark(two), [{ user: 2 }]);
  two.leave();
  await until('all', () => controls(one) && controls(three));
});

t.test('two pointers do not compete for one drag', async t => {
  const { viewers, inputs, mark } = await share(t, 2);
  const [one, two] = viewers;
  one.input(button(true, 0));
  await until('the press', () => inputs().length === 1);
  two.input(move(1));
  two.input(button(true, 1));
  two.input({ type: 'wheel', dx: 0, dy: 10, x: 1, y: 1 });
  two.input(button(false, 1));
  await mark(two);
  one.input(move(0.5));
  one.input(button(false, 0.5));
  await until('the drag', () => inputs().some(({ event }) => event.type === 'button' && !event.down));
  t.same(
    inputs()
      .filter(({ user }) => user === 2)
      .map(({ event }) => event.type),
    ['key'],
  );
  two.input(button(true, 1));
  await until("the other's turn", () => inputs().some(({ user, event }) => user === 2 && event.type === 'button'));
});

t.test('an abandoned drag gives way after a few seconds', async t => {
  const { viewers, inputs } = await share(t, 2);
  const [one, two] = viewers;
  one.input(button(true, 0.25));
  await until('the press', () => inputs().length === 1);
  await wait(3100);
  two.input(move(1));
  await until('the move', () => inputs().length === 3);
  t.match(inputs().slice(1), [
    { user: 1, event: { type: 'button', down: false } },
    { user: 2, event: move(1) },
  ]);
  one.input(button(false, 0.25));
  two.input(key(0x61));
  await until('the key', () => inputs().length === 4);
  t.match(inputs()[3], { user: 2 }, 'the late release is not carried out');
});

t.test('however many controllers come and go, no key or button stays pressed', async t => {
  const { session, agent, set } = await share(t, 0);
  let seed = 1;
  const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const viewers = await Promise.all(Array.from({ length: 6 }, () => session.join()));
  for (let step = 0; step < 600; step++) {
    const index = random(viewers.length);
    const viewer = viewers[index] as StreamClient;
    const dice = random(20);
    if (dice < 8) viewer.input(key(0x61 + random(3), random(2) === 0));
    else if (dice < 16) viewer.input({ type: 'button', button: random(3), down: random(2) === 0, x: 0, y: 0 });
    else if (dice < 18)
      await set(viewer, { priority: random(3), control_exclusive: random(4) === 0, control_disabled: random(4) === 0 });
    else if (dice < 19) {
      viewer.leave();
      viewers[index] = await session.join();
    } else viewer.input({ type: 'release' });
  }
  for (const viewer of viewers) viewer.leave();
  await until('all gone', async () => (await session.call('GET', '/users')).body.length === 0);
  // As the container's display has it: a key or button is down while any user holds it.
  const pressed = new Map<string, Set<number>>();
  for (const { user, bytes } of agent.received) {
    const event = decodeInput(bytes);
    if (event?.type !== 'key' && event?.type !== 'button') continue;
    const name = event.type === 'key' ? `key ${event.keysym}` : `button ${event.button}`;
    const users = pressed.get(name) ?? new Set();
    pressed.set(name, users);
    if (event.down) users.add(user);
    else users.delete(user);
  }
  t.ok(pressed.size >= 5);
  t.same(
    [...pressed].filter(([, users]) => users.size > 0),
    [],
  );
});

t.test('swipes count as input', async t => {
  const { viewers, agent } = await share(t, 1, { touch_gestures: { swipe: true } });
  viewers[0].tell({ type: 'swipe', direction: 'right' });
  t.match(
    await until('the call', () =>
      agent.controls.find(message => message.type === 'call' && message.method === 'swipe'),
    ),
    { method: 'swipe', args: ['right'] },
  );
});
