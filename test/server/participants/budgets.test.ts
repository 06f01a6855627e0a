import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { Allowance, sharedBudget } from '../../../src/server/participants/viewer/allowance.js';
import { startSession } from '../../fixtures/services/session-host.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const key = (keysym: number) => ({ type: 'key', down: true, keysym }) as const;
const pingMessage = Buffer.from([MessageType.ping, 1, 2, 3, 4, 5, 6, 7, 8]);
const pongsOf = (viewer: StreamClient) => viewer.binary.filter(([type]) => type === MessageType.pong).length;

/** How many messages of one viewer are served in the first second and in the one after, offered 1000 a second. */
function served(spend: (now: number) => number): [number, number] {
  const counts: [number, number] = [0, 0];
  let free = 0;
  for (let now = 0; now < 2000; now++) {
    if (now < free) continue;
    counts[now < 1000 ? 0 : 1]++;
    free = now + spend(now);
  }
  return counts;
}

t.test('a viewer gets its own budget, whatever others with the same session or address do', async t => {
  const [session, address] = [sharedBudget(), sharedBudget()];
  const alone = new Allowance([session, address]);
  const [first, second] = served(now => alone.spend(now, 1));
  t.ok(first > 800 && second > 400 && second < 500, `alone: ${first}, then ${second}`);

  for (const used of [session, address]) {
    used.spend(2000, 1e6);
    const late = new Allowance([session, address]);
    const [, steady] = served(now => late.spend(2000 + now, 1));
    t.ok(steady >= 55 && steady <= 65, `beside others that use up everything: ${steady}`);
  }
});

t.test('pings are answered 20 times a second, and more only slow down who sends them', async t => {
  const { agent, url } = await startSession(t);
  const [flooding, honest] = [await StreamClient.join(url), await StreamClient.join(url)];
  const begun = performance.now();
  flooding.atOnce(() => {
    for (let i = 0; i < 100; i++) flooding.send(pingMessage);
    flooding.input(key(0x61));
  });
  honest.send(pingMessage);
  honest.input(key(0x62));
  await until('the key of the other', () => agent.messages(MessageType.key).some(({ user }) => user === 2));
  await until('its pong', () => pongsOf(honest) === 1);
  const early = pongsOf(flooding);
  const most = 21 + 0.02 * (performance.now() - begun);
  t.ok(early <= most, `${early} pongs of at most ${most.toFixed(1)}`);
  await until('nothing is lost', () => agent.messages(MessageType.key).length === 2);
  t.equal(pongsOf(flooding), 100);
  const ms = performance.now() - begun;
  t.ok(ms > 3900, `80 pings above the burst took ${Math.round(ms)} ms`);
  t.equal(flooding.socket.readyState, flooding.socket.OPEN);
});

t.test('acknowledgements of frames and answers to probes cost nothing', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url, { audio: false });
  await viewer.saw();
  for (let i = 0; i < 90; i++) {
    const id = agent.sendFrame();
    await viewer.saw(frame => frame.id === id);
  }
  const begun = performance.now();
  viewer.send(pingMessage);
  await until('the pong', () => pongsOf(viewer) === 1);
  t.ok(performance.now() - begun < 1000);
});

t.test('many messages read at once are carried out one after the other, and too many close the connection', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  viewer.atOnce(() => {
    for (let i = 0; i < 700; i++) viewer.input({ type: 'key', down: i % 2 === 0, keysym: 0x61 });
  });
  await until('all keys', () => agent.messages(MessageType.key).length === 700);
  t.same([...new Set(agent.messages(MessageType.key).map(({ bytes }, i) => bytes[1] === (i + 1) % 2))], [true]);
  viewer.atOnce(() => {
    for (let i = 0; i < 3000; i++) viewer.input({ type: 'key', down: i % 2 === 0, keysym: 0x61 });
  });
  t.equal(await viewer.closed(), 4002);
});

async function changeSeats(t: Test, changes: number) {
  const { url } = await startSession(t, {
    launch: {
      type: 'launch',
      kind: 'nes',
      display: { width: 640, height: 480, fps: 60, max_area: 640 * 480, quality: 'smooth', hide_cursor: false },
      console: { max_bytes: 1e6 },
    },
  });
  const [player, watcher] = [await StreamClient.join(url), await StreamClient.join(url)];
  const begun = performance.now();
  for (let i = 0; i < changes; i++) await player.call(i % 2 === 0 ? 'leaveSeat' : 'takeSeat', 1);
  return { player, watcher, ms: performance.now() - begun };
}

t.test('seats that change all the time are told ten times a second, the last state always', async t => {
  const { player, watcher, ms } = await changeSeats(t, 101);
  const seatsOf = () => watcher.all('seats');
  await until('the last state', () => seatsOf().at(-1)?.seats[0]?.user_id === null);
  await wait(200);
  t.equal(seatsOf().at(-1)?.seats[0]?.user_id, null);
  const most = 14 + ms / 100;
  t.ok(seatsOf().length <= most, `${seatsOf().length} messages of at most ${most.toFixed(1)} in ${Math.round(ms)} ms`);
  t.same(player.all('seats').at(-1), seatsOf().at(-1));
});
