// tags: long, slow
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import { MessageType } from '../../src/protocol/message-type.js';
import { startSession } from '../fixtures/services/session-host.js';
import type { FakeAgent } from '../fixtures/agents/fake-agent.js';
import { RawViewer } from '../fixtures/viewers/raw-viewer.js';
import { StreamClient } from '../fixtures/viewers/stream-client.js';
import { until } from '../fixtures/until.js';

/** Nothing taken for 20 s, looked at every 5 s. */
const STALL_MS = 25_000;

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/**
 * MiB that this process may need more: the frames of `clog` at the agent, on the link and at the viewer, all of which
 * it plays, and what may wait for a viewer.
 */
const MAX_MIB = 3 * 12 + 8;

/** MiB in use by this process, with what is only waiting to be collected left out. */
function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** Fills what the kernel takes for the viewer, so that all that follows waits in the service. */
async function clog(agent: FakeAgent, viewer: RawViewer): Promise<void> {
  viewer.tell({ type: 'join', audio: false });
  await until('the stream is on', () => agent.messages(MessageType.stream).length > 0);
  agent.sizes = { key: 1 << 20, delta: 1 << 20 };
  for (let i = 0; i < 12; i++) {
    agent.sendFrame({ key: i === 0 });
    await wait(20);
  }
}

/** Asks for as many answers as the viewer may, until its connection ends; how long that took, ms. */
async function ask(viewer: RawViewer, frames: Parameters<RawViewer['send']>, perSecond: number): Promise<number> {
  const begun = performance.now();
  let ended = false;
  viewer.socket.once('close', () => (ended = true));
  while (!ended && performance.now() - begun < 2 * STALL_MS) {
    for (let i = 0; i < perSecond / 20; i++) viewer.send(...frames);
    await wait(50);
  }
  return performance.now() - begun;
}

async function suffers(t: Test, frames: Parameters<RawViewer['send']>, perSecond: number): Promise<void> {
  const { agent, host, url } = await startSession(t);
  agent.onCall = () => ({ value: 'x'.repeat(1000) });
  const honest = await StreamClient.join(url, { audio: false });
  const before = memory();
  const viewer = await RawViewer.connect(t, url);
  await clog(agent, viewer);
  agent.sizes = { key: 2000, delta: 2000 };
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, memory() - before)), 1000);
  const gone = ask(viewer, frames, perSecond);
  const late: number[] = [];
  let sentAt = 0;
  honest.onFrame = ({ at }) => late.push(at - sentAt);
  const steady = setInterval(() => {
    sentAt = performance.now();
    agent.sendFrame();
  }, 100);
  const ms = await gone;
  clearInterval(watch);
  clearInterval(steady);
  t.ok(ms < STALL_MS + 5000, `closed after ${Math.round(ms)} ms`);
  t.ok(most < MAX_MIB, `${most.toFixed(1)} MiB more at most`);
  await until('it is gone', () => host.viewerCount() === 1);
  t.equal(honest.socket.readyState, honest.socket.OPEN);
  late.sort((a, b) => a - b);
  t.ok(
    late.length > 0 && Number(late[Math.floor(late.length / 2)]) < 100,
    `${late.length} frames to the other, median ${late[Math.floor(late.length / 2)]?.toFixed(1)} ms`,
  );
}

t.test('a viewer that pings and reads nothing is closed in time, and costs little memory', t =>
  suffers(t, [['binary', Buffer.from([MessageType.ping, 1, 2, 3, 4, 5, 6, 7, 8])]], 900),
);

t.test('so is one that sends WebSocket pings, and pongs as if it were reading', t =>
  suffers(
    t,
    [
      ['ping', ''],
      ['pong', Buffer.alloc(8)],
    ],
    450,
  ),
);

t.test('so is one that makes calls', t =>
  suffers(t, [['text', JSON.stringify({ type: 'call', id: 1, method: 'tabs.query', args: [{}] })]], 900),
);
