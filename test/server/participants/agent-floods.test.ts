import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { MediaLimits } from '../../../src/server/media/media-limits.js';
import { startSession } from '../../fixtures/services/session-host.js';
import {
  audioMessage,
  cursorMessage,
  displayMessage,
  patchMessage,
  textMessage,
} from '../../fixtures/agents/messages.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

t.test(
  'a healthy agent is never limited: 60 frames, 100 packets of sound and 20 patches a second, after a stall too',
  async t => {
    const limits = new MediaLimits(60);
    let refused = 0;
    const count = (taken: boolean) => void (taken || refused++);
    const play = (from: number, to: number, at: (now: number) => number) => {
      for (let ms = from; ms < to; ms++) {
        if (ms % 16 === 0) count(limits.takesFrame('full', at(ms)));
        if (ms % 33 === 0) count(limits.takesFrame('small', at(ms)));
        if (ms % 10 === 0) count(limits.takesAudio(at(ms)));
        if (ms % 50 === 0) count(limits.takesPatch(at(ms)));
      }
    };
    play(0, 60_000, now => now);
    play(60_000, 62_500, () => 62_500);
    play(62_500, 70_000, now => now);
    t.equal(refused, 0);
  },
);

t.test('frames beyond are dropped, and the picture goes on with a key frame', async t => {
  const { agent, host, url } = await startSession(t);
  const viewers = [await StreamClient.join(url), await StreamClient.join(url)];
  await Promise.all(viewers.map(viewer => viewer.saw()));
  const begun = performance.now();
  for (let i = 0; i < 2000; i++) agent.sendFrame();
  for (let i = 0; i < 2000; i++) agent.send(audioMessage(i));
  for (let i = 0; i < 2000; i++) agent.send(patchMessage(1));
  await until('all have come', () => host.metrics.counts.requests > 1 && host.metrics.counts.received > 0);
  await wait(1500);
  const s = (performance.now() - begun) / 1000;
  for (const viewer of viewers) {
    const audio = viewer.binary.filter(([type]) => type === MessageType.audio).length;
    t.ok(viewer.frames.length < 3 * 80 + 80 * s, `${viewer.frames.length} frames`);
    t.ok(audio > 0 && audio < 3 * 125 + 125 * s + 1, `${audio} packets of sound`);
  }
  const { frame } = agent;
  const key = await viewers[0]?.saw(({ id, key }) => key && id >= 2000);
  t.ok(key !== undefined && key.id <= frame + 4, 'a key frame after the flood');
});

t.test('of cursors, displays and texts that change all the time the newest is told', async t => {
  const { agent, url } = await startSession(t, {
    defaults: { roles: ['clipboard_copy'], control_disabled: false },
  });
  const viewer = await StreamClient.join(url);
  const begun = performance.now();
  for (let i = 1; i <= 100; i++) {
    agent.send(cursorMessage(i % 30 || 1));
    agent.send(displayMessage(800 + i, 600));
    agent.send(textMessage(MessageType.clipboard, `text ${i}`));
  }
  await viewer.heard('clipboard', ({ text }) => text === 'text 100');
  await viewer.heard('display', ({ width }) => width === 900);
  const ms = performance.now() - begun;
  t.ok(viewer.all('clipboard').length <= 2 + ms / 100, `${viewer.all('clipboard').length} texts`);
  t.ok(viewer.all('display').length <= 3 + ms / 100, `${viewer.all('display').length} displays`);
  const cursors = () => viewer.binary.filter(([type]) => type === MessageType.cursor);
  await until('the last cursor', () => cursors().at(-1)?.readUInt16LE(6) === 10);
  t.ok(cursors().length <= 2 + (performance.now() - begun) / 33, `${cursors().length} cursors`);
});

t.test('events are told to all, but to many viewers not as many as an agent may send', async t => {
  const { agent, url } = await startSession(t, { defaults: { roles: ['chrome_apis'], control_disabled: false } });
  const few = await StreamClient.join(url);
  for (let i = 0; i < 300; i++) agent.tell({ type: 'event', name: 'tabs.onUpdated', args: [i] });
  await few.heard('event', ({ args }) => args[0] === 299);
  t.equal(few.all('event').length, 300, 'all of them');
  const many = await Promise.all(Array.from({ length: 99 }, () => StreamClient.join(url)));
  const begun = performance.now();
  for (let i = 0; i < 390; i++) agent.tell({ type: 'event', name: 'tabs.onUpdated', args: [i] });
  agent.tell({ type: 'state', state: 'restarting', message: 'over' });
  await few.heard('session', ({ message }) => message === 'over');
  const told = many[0]?.all('event').length ?? 0;
  const most = 101 + ((performance.now() - begun) / 1000) * 100;
  t.ok(told >= 90 && told <= most, `${told} events of at most ${Math.round(most)}`);
});
