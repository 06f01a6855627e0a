/** Two layers of one session: a viewer on a slow path gets the small one, and costs the others nothing. */
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import type { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { startSession } from '../../fixtures/services/session-host.js';
import { patchMessage } from '../../fixtures/agents/messages.js';
import { narrowPath, type NarrowPath } from '../../fixtures/networks/narrow-path.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const FPS = 30;

/** 4.8 Mbit/s in the full layer, 0.5 Mbit/s in the small one. */
const SIZES = { full: { key: 40_000, delta: 20_000 }, small: { key: 10_000, delta: 2000 } };

/** Sends frames of the layers that are wanted, until the test ends. */
function play(t: Test, agent: FakeAgent): void {
  Object.assign(agent, { sizes: SIZES.full, smallSizes: SIZES.small });
  const timer = setInterval(() => {
    agent.sendFrame();
    if (agent.isSmallOn) agent.sendFrame({ small: true });
  }, 1000 / FPS);
  t.teardown(() => clearInterval(timer));
}

/** A session in motion that a viewer on a fast path and one on a slow path watch. */
async function watched(t: Test, kbps: number, layers?: number) {
  const { agent, host, url } = await startSession(t, {}, layers);
  const path = await narrowPath(t, host.port, kbps, 20);
  const fast = await StreamClient.join(url, { audio: false });
  play(t, agent);
  await fast.saw();
  const slow = await StreamClient.join(through(path, url), { audio: false });
  return { agent, host, path, fast, slow };
}

function through(path: NarrowPath, url: string): string {
  const address = new URL(url);
  address.port = String(path.port);
  return address.href;
}

const rates = (agent: FakeAgent, from = 0) =>
  agent
    .messages(MessageType.rate)
    .slice(from)
    .map(({ bytes }) => bytes.readUInt32LE(1));
/** Whether a viewer got each frame of one layer, from its first one with at least that number to its last one. */
function isComplete(viewer: StreamClient, agent: FakeAgent, layer: 'full' | 'small', from = 0): boolean {
  const ids = viewer.frames.filter(({ id, small }) => id >= from && small === (layer === 'small')).map(({ id }) => id);
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  return ids.join() === agent.sent[layer].filter(id => id >= first && id <= last).join();
}

t.test('a viewer on a slow path gets the small layer, from a key frame on, and each frame of it', async t => {
  const { agent, host, fast, slow } = await watched(t, 1500, 2);
  const first = await until('a frame of the small layer', () => slow.frames.find(({ small }) => small));
  t.ok(first.key);
  // What it was sent of the full layer is still on its path; then there may be one more key frame.
  await wait(3000);
  const { frame } = agent;
  await wait(2000);
  const at = slow.frames.indexOf(first);
  t.ok(
    slow.frames.slice(0, at).every(({ small }) => !small) && slow.frames.slice(at).every(({ small }) => small),
    'it gets one layer at a time',
  );
  t.ok(isComplete(slow, agent, 'small', frame), 'each frame of the small layer');
  t.ok(Number(slow.last?.id) > agent.frame - 10, 'up to the newest');
  t.ok(
    fast.frames.every(({ small }) => !small),
    'the other gets the full layer only',
  );
  t.ok(isComplete(fast, agent, 'full'), 'each frame of it');
  // A busy machine delays the other viewer, too, but only for a while.
  await until(
    () => `the full layer's rate is not that of the slow path: ${rates(agent)}`,
    () => Number(rates(agent).at(-1)) >= 8000,
  );
  const smallRates = agent.messages(MessageType.smallLayer).map(({ bytes }) => bytes.readUInt32LE(2));
  t.ok(Math.max(...smallRates) < 3000, `the small layer has a rate for that path: ${smallRates}`);
  // Those on their way are counted on arrival.
  await until('each of its frames is counted', () => host.metrics.counts.small === agent.sent.small.length);
});

t.test('nothing is asked of the small layer while nobody needs it', async t => {
  const { agent, host, slow } = await watched(t, 50_000, 2);
  await wait(3000);
  t.ok(slow.frames.length > 0.8 * agent.frame, `${slow.frames.length} of ${agent.frame} frames`);
  t.same(agent.messages(MessageType.smallLayer), []);
  t.equal(host.metrics.counts.small, 0);
});

t.test('it ends when the last viewer that needs it leaves', async t => {
  const { agent, slow } = await watched(t, 1500, 2);
  await until('the small layer', () => agent.isSmallOn);
  slow.leave();
  await until('its end', () => !agent.isSmallOn);
});

t.test('or hides its page, and goes on when that is shown again', async t => {
  const { agent, slow } = await watched(t, 1500, 2);
  await slow.saw(({ small }) => small);
  slow.tell({ type: 'media', video: false });
  await until('its end', () => !agent.isSmallOn);
  const { frame } = agent;
  slow.tell({ type: 'media', video: true });
  const first = await slow.saw(({ id }) => id > frame);
  t.ok(first.key);
});

t.test('a viewer that is left alone returns to the full layer with a key frame of it', async t => {
  const { agent, fast, slow } = await watched(t, 1500, 2);
  await slow.saw(({ small }) => small);
  const from = slow.frames.length;
  fast.leave();
  const back = await until('a frame of the full layer', () => slow.frames.slice(from).find(({ small }) => !small));
  t.ok(back.key);
  await until('the end of the small layer', () => !agent.isSmallOn);
  await until('a rate for its path', () => Number(rates(agent).at(-1)) < 3000);
});

t.test('a path that is fast again gets the full layer', async t => {
  const { agent, path, slow } = await watched(t, 1500, 2);
  await slow.saw(({ small }) => small);
  path.kbps = 50_000;
  const from = slow.frames.length;
  const back = await until('the full layer', () => slow.frames.slice(from).find(({ small }) => !small), 30_000);
  t.ok(back.key);
  await until('the end of the small layer', () => !agent.isSmallOn);
  await wait(3000);
  t.ok(
    slow.frames.slice(-FPS).every(({ small }) => !small),
    'and keeps it',
  );
});

t.test('a path that breaks for three seconds continues where others are', async t => {
  const { agent, path, fast, slow } = await watched(t, 20_000, 2);
  await wait(1000);
  path.kbps = 0;
  await wait(3000);
  path.kbps = 20_000;
  const from = slow.frames.length;
  await until('the newest frame', () => slow.frames.length > from && Number(slow.last?.id) > agent.frame - 6);
  t.ok(isComplete(fast, agent, 'full'), 'the other missed nothing');
  t.ok(Math.min(...rates(agent)) >= 8000, `and kept its rate: ${rates(agent)}`);
});

t.test('after a lost link each viewer goes on in its layer', async t => {
  const { agent, slow } = await watched(t, 1500, 2);
  await slow.saw(({ small }) => small);
  const from = slow.frames.length;
  agent.breakLinks();
  await until('a new link', () => agent.connections === 2);
  const next = await until('a key frame', () => slow.frames.slice(from).find(({ key }) => key));
  t.ok(next.small);
});

t.test('where no frame of the small layer comes, viewers return to the full one', async t => {
  const { agent, url, host } = await startSession(t, {}, 2);
  agent.encodesSmall = false;
  const path = await narrowPath(t, host.port, 1500, 20);
  const fast = await StreamClient.join(url, { audio: false });
  play(t, agent);
  await fast.saw();
  const slow = await StreamClient.join(through(path, url), { audio: false });
  const smallLayers = () => agent.messages(MessageType.smallLayer);
  await until('it is asked for', () => smallLayers().length > 0);
  await until('and given up', () => smallLayers().at(-1)?.bytes[1] === 0);
  const from = slow.frames.length;
  const back = await until('a key frame', () => slow.frames.slice(from).find(({ key }) => key));
  t.notOk(back.small);
  const asked = smallLayers().length;
  await wait(1500);
  t.equal(smallLayers().length, asked, 'it is not asked for again');
});

t.test('an agent of an earlier version is never asked for a small layer', async t => {
  const { agent, slow } = await watched(t, 1500);
  await until('its rate', () => Number(rates(agent).at(-1)) < 3000);
  await wait(1000);
  t.same(agent.messages(MessageType.smallLayer), []);
  t.ok(slow.frames.every(({ small }) => !small));
});

t.test('patches reach viewers who have every frame of the full layer', async t => {
  const { agent, fast, slow } = await watched(t, 1500, 2);
  await until('the slow one has the small layer', () => slow.frames.at(-1)?.small);
  const paused = await StreamClient.join(fast.socket.url, { audio: false, video: false });
  const message = patchMessage(agent.frame);
  agent.send(message);
  await until('the fast one has it', () => fast.binary.some(bytes => bytes.equals(message)));
  agent.tell({ type: 'state', state: 'running', message: 'after it' });
  for (const viewer of [slow, paused]) {
    await viewer.heard('session', state => state.message === 'after it');
    t.notOk(viewer.binary.some(bytes => bytes.equals(message)));
  }
});
