import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import type { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { startSession } from '../../fixtures/services/session-host.js';
import { audioMessage } from '../../fixtures/agents/messages.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const idsOf = (viewer: StreamClient) => viewer.frames.map(frame => frame.id);

/**
 * Sends frames at a rate until aborted; no faster than this viewer gets them, so that a machine that has no time for it
 * is not taken for a path that is too slow.
 */
async function play(agent: FakeAgent, fps: number, signal: AbortSignal, viewer?: StreamClient): Promise<void> {
  while (!signal.aborted) {
    const id = agent.sendFrame();
    await wait(1000 / fps);
    await viewer?.saw(frame => frame.id >= id);
  }
}

t.test('100 viewers get every frame, in order and unchanged', async t => {
  const { agent, host, url } = await startSession(t);
  const viewers = await Promise.all(Array.from({ length: 100 }, () => StreamClient.join(url, { audio: false })));
  await Promise.all(viewers.map(viewer => viewer.saw()));
  await until('everybody is up to date', () => viewers.every(viewer => viewer.last?.id === agent.frame));
  const first = agent.frame + 1;
  const dropped = host.metrics.counts.dropped;
  let last = 0;
  for (let i = 0; i < 48; i++) {
    last = agent.sendFrame();
    await wait(1000 / 24);
    // On a machine that has no time for it, frames in a row would be a backlog.
    await until('everybody has the frame', () => viewers.every(viewer => Number(viewer.last?.id) >= last));
  }
  // Among them may be key frames that were asked for while viewers still joined.
  const expected = Array.from({ length: last + 1 - first }, (_, i) => first + i);
  t.ok(expected.length >= 48);
  t.ok(
    viewers.every(
      viewer =>
        idsOf(viewer)
          .filter(id => id >= first && id <= last)
          .join() === expected.join(),
    ),
  );
  t.ok(viewers.every(viewer => viewer.frames.find(({ id }) => id === last)?.bytes === 14 + agent.sizes.delta));
  t.equal(host.metrics.counts.dropped, dropped);
});

t.test('a viewer that stops reading disturbs nobody and resumes with a key frame', async t => {
  const { agent, url } = await startSession(t);
  const [slow, other] = [await StreamClient.join(url), await StreamClient.join(url)];
  await Promise.all([slow.saw(), other.saw()]);
  const playing = new AbortController();
  const played = play(agent, 60, playing.signal, other);
  t.teardown(() => playing.abort());

  slow.socket.pause();
  const requests = agent.messages(MessageType.keyframe).length;
  await wait(4000);
  const rates = agent.messages(MessageType.rate).map(({ bytes }) => bytes.readUInt32LE(1));
  t.ok(Math.min(...rates) > 5000, `the rate was not brought down for it: ${rates}`);
  t.ok(agent.messages(MessageType.keyframe).length - requests <= 3, 'few key frames were asked for in vain');

  slow.socket.resume();
  const resumed = slow.frames.length;
  await until(
    'the slow viewer is up to date',
    () => Number(slow.last?.id) > agent.frame - 3 && slow.frames.length > resumed,
  );
  playing.abort();
  await played;
  const ids = idsOf(slow);
  const gap = ids.findIndex((id, i) => i > 0 && id !== Number(ids[i - 1]) + 1);
  t.ok(gap > 0, 'it missed frames');
  t.ok(slow.frames[gap]?.key, 'what came after the gap is a key frame');
  await until('the other has the last frame', () => other.last?.id === agent.frame);
  t.ok(
    idsOf(other).every((id, i, all) => i === 0 || id === Number(all[i - 1]) + 1),
    'the other missed none',
  );
});

t.test('a viewer that acknowledges nothing gets key frames less and less often', async t => {
  const { agent, url } = await startSession(t);
  const mute = await StreamClient.connect(url);
  mute.acknowledges = false;
  mute.tell({ type: 'join' });
  await mute.saw();
  const playing = new AbortController();
  const played = play(agent, 60, playing.signal);
  const keys = () => mute.frames.filter(frame => frame.key).length;
  await wait(6000);
  t.ok(keys() <= 4, `${keys()} key frames in 6 s`);
  await until('it is tried again', () => keys() >= 2);
  playing.abort();
  await played;
});

t.test('a viewer that requests a key frame gets one, at most one a second', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  const before = agent.messages(MessageType.keyframe).length;
  const started = performance.now();
  for (let i = 0; i < 20; i++) {
    viewer.send(Buffer.of(MessageType.refresh));
    await wait(50);
  }
  await viewer.saw(frame => frame.key && frame.at > started);
  const most = 1 + Math.floor((performance.now() - started) / 1000);
  const asked = agent.messages(MessageType.keyframe).length - before;
  t.ok(asked <= most, `of twenty wishes within a second ${asked} were passed on, at most ${most}`);
});

t.test('sound goes to viewers that want it', async t => {
  const { agent, url } = await startSession(t);
  const [deaf, listener] = [await StreamClient.join(url, { audio: false }), await StreamClient.join(url)];
  agent.send(audioMessage(7));
  const [packet] = await until('a packet', () => listener.binary.length > 0 && listener.binary);
  t.same(packet?.subarray(0, 6), audioMessage(7).subarray(0, 6));
  deaf.send(Buffer.of(MessageType.ping, 1, 2, 3, 4, 5, 6, 7, 8));
  await until('the pong', () => deaf.binary.length > 0);
  t.same(deaf.binary, [Buffer.of(MessageType.pong, 1, 2, 3, 4, 5, 6, 7, 8)]);
});
