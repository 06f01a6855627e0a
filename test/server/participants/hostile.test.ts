import t from 'tap';
import { WebSocket } from 'ws';
import { MessageType } from '../../../src/protocol/message-type.js';
import { VIEWER_MAX_BYTES } from '../../../src/server/participants/viewer/from-viewer.js';
import { decodeAgentControl, decodeAgentMedia } from '../../../src/server/agent-link/from-agent.js';
import { SESSION, startSession } from '../../fixtures/services/session-host.js';
import {
  cursorMessage,
  displayMessage,
  patchMessage,
  textMessage,
  VIEWER_MESSAGES,
  videoMessage,
} from '../../fixtures/agents/messages.js';
import { mutated, sequence } from '../../fixtures/seed.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const controls = [
  '{"type":"media","video":true}',
  '{"type":"resize","width":800,"height":600}',
  '{"type":"admin","admin_token":"x"}',
  '{"type":"touch"}',
];

t.test('no message of a viewer breaks the service or reaches the agent malformed', async t => {
  const { agent, url } = await startSession(t);
  const honest = await StreamClient.join(url);
  const random = sequence(1);
  for (let round = 0; round < 60; round++) {
    const viewer = await StreamClient.join(url);
    for (let i = 0; i < 60; i++) {
      const text = mutated(Buffer.from(controls[random(controls.length)] ?? ''), random);
      if (random(4) === 0) viewer.socket.send(text.toString('latin1'));
      else viewer.send(mutated(VIEWER_MESSAGES[random(VIEWER_MESSAGES.length)] ?? Buffer.of(0), random));
    }
    viewer.leave();
  }
  const started = performance.now();
  agent.sendFrame({ key: true });
  await honest.saw(({ at }) => at > started);
  const lengths: Record<number, number> = { 0x10: 5, 0x11: 7, 0x12: 9, 0x13: 6 };
  const inputs = agent.received.filter(({ type }) => type in lengths);
  t.ok(inputs.length > 20, `${inputs.length} of the messages were input all the same`);
  t.ok(inputs.every(({ type, bytes }) => lengths[type] === bytes.length));
  t.notOk(agent.received.some(({ type }) => [MessageType.release, MessageType.ack].some(no => no === type)));
});

t.test('a viewer that keeps violating the protocol is disconnected', async t => {
  const { url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  const closed = viewer.closed();
  for (let i = 0; i < 30; i++) viewer.send(Buffer.of(0xee));
  t.equal(await closed, 4002);
  const large = await StreamClient.join(url);
  const gone = large.closed();
  large.send(Buffer.alloc(VIEWER_MAX_BYTES + 1));
  t.equal(await gone, 1009);
});

t.test('a message in as many frames as browsers send is taken; one in thousands ends its viewer', async t => {
  const { agent, url } = await startSession(t);
  const [honest, hostile] = [await StreamClient.join(url), await StreamClient.join(url)];
  const text = textMessage(MessageType.clipboard, 'x'.repeat(1 << 20));
  const inFrames = (viewer: StreamClient, message: Buffer, count: number) => {
    const size = Math.ceil(message.length / count);
    for (let i = 0; i < count; i++)
      viewer.socket.send(message.subarray(i * size, (i + 1) * size), { fin: i === count - 1 });
  };
  inFrames(honest, text, 17);
  await until('it comes through', () => agent.messages(MessageType.clipboard).length === 1);
  const closed = hostile.closed();
  inFrames(hostile, Buffer.of(MessageType.refresh), 1000);
  t.equal(await closed, 1008);
  t.equal(honest.socket.readyState, WebSocket.OPEN);
});

t.test('a flood of moves is throttled, and its viewer stays', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  const begun = performance.now();
  for (let i = 0; i < 5000; i++) viewer.input({ type: 'move', x: i / 5000, y: 0 });
  viewer.input({ type: 'key', down: true, keysym: 0x61 });
  await until('the key comes through', () => agent.messages(MessageType.key).length === 1);
  // What it may send at once, and then so many a second.
  const most = 470 + 0.5 * (performance.now() - begun);
  t.ok(
    agent.messages(MessageType.move).length < most,
    `${agent.messages(MessageType.move).length} moves of at most ${Math.round(most)}`,
  );
  t.equal(viewer.socket.readyState, WebSocket.OPEN);
});

t.test('a viewer can hold only a limited number of keys', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  for (let keysym = 1; keysym <= 500; keysym++) viewer.input({ type: 'key', down: true, keysym });
  viewer.input({ type: 'move', x: 0, y: 0 });
  await until('the move', () => agent.messages(MessageType.move).length === 1);
  t.equal(agent.messages(MessageType.key).length, 64);
});

t.test('no message of a container breaks the service or reaches viewers malformed', async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  await viewer.saw();
  const random = sequence(2);
  const envelope = Buffer.alloc(4);
  const messages = [
    videoMessage(1, { bytes: 20 }),
    cursorMessage(2),
    displayMessage(800, 600),
    textMessage(0x09, 'é'),
    Buffer.of(0x0a, 1, 0),
  ];
  const texts = ['{"type":"state","state":"running"}', '{"type":"activity","idle_ms":1,"offline_ms":null}'];
  for (let i = 0; i < 600; i++) {
    const text = mutated(Buffer.from(texts[random(2)] ?? ''), random);
    if (i % 50 === 0) agent.sendRaw(text.toString('latin1'));
    else agent.sendRaw(mutated(Buffer.concat([envelope, messages[random(messages.length)] ?? envelope]), random));
  }
  agent.sendRaw('x'.repeat(100_000));
  agent.sendRaw(Buffer.alloc(0));
  agent.tell({ type: 'state', state: 'running', message: 'still here' });
  await viewer.heard('session', ({ message }) => message === 'still here');
  for (const message of viewer.binary) {
    t.equal(message[0], MessageType.cursor);
    t.equal(message.length, 10 + message.readUInt16LE(6) * message.readUInt16LE(8) * 4);
  }
  t.equal(host.viewerCount(), 1);
});

t.test('whatever a container sends is understood or refused', async t => {
  const random = sequence(3);
  const envelope = Buffer.alloc(4);
  const messages = [
    videoMessage(1, { bytes: 20 }),
    cursorMessage(2),
    patchMessage(1),
    displayMessage(800, 600),
    textMessage(0x09, 'é'),
  ];
  let understood = 0;
  for (let i = 0; i < 50_000; i++) {
    const data = mutated(Buffer.concat([envelope, messages[random(messages.length)] ?? envelope]), random);
    if (decodeAgentMedia(data) !== null) understood++;
    decodeAgentControl(data);
  }
  t.ok(understood > 1000 && understood < 40_000, `${understood} of 50000`);
});

t.test('a container that sends too much is throttled, one that sends an oversized message is disconnected', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  // Large enough that they do not all fit into what is read at once.
  for (let i = 0; i < 600; i++) agent.send(cursorMessage(64));
  const before = performance.now();
  agent.sendFrame({ key: true });
  const frame = await viewer.saw(({ id }) => id === agent.frame);
  t.ok(frame.at - before > 1000, `the frame behind the flood came after ${Math.round(frame.at - before)} ms`);
  agent.sendRaw(Buffer.alloc((4 << 20) + 1));
  await until('a new link', () => agent.connections === 2);
});

t.test('values that pages choose are sent within bounds only', async t => {
  const event = (tab: object) => Buffer.from(JSON.stringify({ type: 'event', name: 'tabs.onUpdated', args: [7, tab] }));
  for (const [field, most] of [
    ['title', 1024],
    ['url', 8192],
    ['pendingUrl', 8192],
    ['favIconUrl', 8192],
  ] as const) {
    t.ok(decodeAgentControl(event({ [field]: 'x'.repeat(most) })), `${field} as long as it may be`);
    t.equal(decodeAgentControl(event({ [field]: 'x'.repeat(most + 1) })), null, `${field} longer`);
  }
  t.equal(decodeAgentControl(event({ id: 'x'.repeat(64 << 10) })), null, 'an event that is too large');
  const result = (bytes: number) => Buffer.from(JSON.stringify({ type: 'result', id: 1, value: 'x'.repeat(bytes) }));
  t.ok(decodeAgentControl(result(1 << 19)), 'a long list of tabs');
  t.equal(decodeAgentControl(result(1 << 20)), null);
});

t.test('texts are charged before parsing: a container that floods with invalid ones is throttled', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  const garbage = 'x'.repeat(60_000);
  for (let i = 0; i < 200; i++) agent.sendRaw(garbage);
  const before = performance.now();
  agent.sendFrame({ key: true });
  const frame = await viewer.saw(({ id }) => id === agent.frame);
  // 11.4 MiB, of which 8 are free and the rest is taken at 1 MiB a second.
  t.ok(frame.at - before > 2000, `the frame behind the flood came after ${Math.round(frame.at - before)} ms`);
  t.same(viewer.all('event'), []);
});
