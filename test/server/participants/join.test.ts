import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { MessageType } from '../../../src/protocol/message-type.js';
import { openAfter } from '../../../src/server/agent-link/retry.js';
import { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { SessionHost, SESSION, startSession, targetOf } from '../../fixtures/services/session-host.js';
import { cursorMessage } from '../../fixtures/agents/messages.js';
import { stopwatch } from '../../fixtures/own-time.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

/** Status and error code with which an upgrade is refused. */
async function refusal(url: string): Promise<{ status: number | undefined; code: string }> {
  const socket = new WebSocket(url);
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, code: JSON.parse(String(Buffer.concat(chunks))).code };
}

t.test('a viewer with the embed token is told all it needs and sees the picture', async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  t.match(
    viewer.told.map(message => message.type),
    ['welcome', 'session', 'access', 'display'],
  );
  const [welcome] = viewer.all('welcome');
  t.match(welcome, { user_id: /^[0-9a-f-]{36}$/, kind: 'chromium', hide_cursor: false });
  t.match(viewer.all('session')[0], { state: 'running' });
  t.match(viewer.all('access')[0], { admin: false, roles: ['chrome_apis', 'resize', 'control'] });
  t.match(viewer.all('display')[0], { width: 1280, height: 720, fps: 60, max_area: 2073600 });
  t.ok((await viewer.saw()).key, 'the first frame is a key frame');
  t.match(agent.controls, [
    { type: 'launch', kind: 'chromium' },
    { type: 'presence', viewers: 0 },
  ]);
  t.match(agent.controls.at(-1), { type: 'presence', viewers: 1 });
  t.equal(host.viewerCount(), 1);
});

t.test('a viewer that leaves is removed, and no media flow when nobody watches', async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  t.same(agent.messages(MessageType.stream).at(-1)?.bytes, Buffer.of(MessageType.stream, 1, 1));
  viewer.leave();
  await until('presence 0', () => agent.controls.at(-1)?.type === 'presence' && host.viewerCount() === 0);
  await until('stream off', () => agent.messages(MessageType.stream).at(-1)?.bytes[1] === 0);
  t.equal(host.metrics.counts.viewers, 0);
});

t.test('streams are on if any viewer wants them', async t => {
  const { agent, url } = await startSession(t);
  const listener = await StreamClient.join(url, { video: false });
  await until('audio only', () =>
    agent
      .messages(MessageType.stream)
      .at(-1)
      ?.bytes.equals(Buffer.of(0x32, 0, 1)),
  );
  const watcher = await StreamClient.join(url, { audio: false });
  await until('both', () =>
    agent
      .messages(MessageType.stream)
      .at(-1)
      ?.bytes.equals(Buffer.of(0x32, 1, 1)),
  );
  await watcher.saw();
  t.equal(listener.frames.length, 0, 'no video for a viewer that does not want it');
  watcher.tell({ type: 'media', video: false });
  await until('audio only again', () =>
    agent
      .messages(MessageType.stream)
      .at(-1)
      ?.bytes.equals(Buffer.of(0x32, 0, 1)),
  );
  const last = agent.frame;
  watcher.tell({ type: 'media', video: true });
  const back = await watcher.saw(({ id }) => id > last);
  t.ok(back.key, 'a key frame for the viewer that is back');
});

t.test('anything but a token is refused and disturbs nobody', async t => {
  const { host, url } = await startSession(t);
  host.statuses.set('gone', 'ended');
  const viewer = await StreamClient.join(url);
  const refused = async (token: string, session?: string) => refusal(host.url(token, session));
  t.match(await refused('wrong'), { status: 401, code: 'invalid_token' });
  t.match(await refused(''), { status: 401, code: 'invalid_token' });
  t.match(await refused('embed-gone'), { status: 401, code: 'invalid_token' }, 'the token of another session');
  t.match(await refused('embed-gone', 'gone'), { status: 409, code: 'session_ended' });
  t.same(host.asked, [SESSION, 'gone'], 'the store is asked about right tokens only');
  t.match(await refused('x', 'unknown'), { status: 401, code: 'invalid_token' });
  t.match(await refused('embed-unknown', 'unknown'), { status: 404, code: 'session_not_found' });
  t.match(await refusal(`ws://127.0.0.1:${host.port}/elsewhere`), { status: 404, code: 'not_found' });
  t.match(await refusal(`ws://127.0.0.1:${host.port}/s/../%00/stream`), { status: 404 });
  t.equal(viewer.socket.readyState, WebSocket.OPEN);
});

t.test('a connection must join before anything else, and within 5 s', async t => {
  const { agent, host, url } = await startSession(t);
  const eager = await StreamClient.connect(url);
  eager.input({ type: 'key', down: true, keysym: 0x61 });
  eager.send(Buffer.of(MessageType.ping, 1, 2, 3, 4, 5, 6, 7, 8));
  await until('the pong, which needs no join', () => eager.binary[0]?.[0] === MessageType.pong);
  const dropped = eager.closed();
  const started = performance.now();
  const watch = stopwatch(t);
  const silent = await StreamClient.connect(url);
  t.equal(await silent.closed(), 4002);
  t.equal(await dropped, 4002);
  t.ok(performance.now() - started > 4990 && watch() < 6000, `closed after ${Math.round(watch())} ms`);
  t.equal(agent.messages(MessageType.key).length, 0);
  t.equal(host.viewerCount(), 0);
});

t.test('a viewer that connects before the service has taken over its session waits for it', async t => {
  const agent = await new FakeAgent().start();
  const host = await new SessionHost().start();
  t.teardown(() => Promise.all([host.stop(), agent.stop()]));
  const joining = StreamClient.join(host.url());
  await host.connect(targetOf(agent));
  const viewer = await joining;
  t.ok((await viewer.saw()).key);
});

t.test('a late viewer sees the cursor, and the picture within 300 ms', async t => {
  const { agent, url } = await startSession(t);
  const first = await StreamClient.join(url);
  await first.saw();
  agent.send(cursorMessage(16));
  agent.sendFrame();
  await until('the cursor has come', () => first.binary.length === 1);
  for (let i = 0; i < 5; i++) {
    const watch = stopwatch(t);
    const late = await StreamClient.join(url);
    const frame = await late.saw();
    const waited = watch();
    t.ok(frame.key && waited < 300, `picture after ${Math.round(waited)} ms`);
    t.same(late.binary[0], cursorMessage(16));
  }
});

t.test('an agent that is not up yet is awaited; one with another secret is an error', async t => {
  const agent = await new FakeAgent().start();
  const host = await new SessionHost().start();
  t.teardown(() => Promise.all([host.stop(), agent.stop()]));
  await agent.stop();
  const begun = performance.now();
  const attaching = host.connect(targetOf(agent));
  await agent.start();
  const watch = stopwatch(t);
  const longest = 135 + openAfter(performance.now() - begun);
  await attaching;
  t.ok(watch() < longest, 'the link is open soon after the agent listens');
  await t.rejects(host.connect(targetOf(agent, { sessionId: 'other', secret: 'wrong' })), /did not prove to be it/);
  const abort = new AbortController();
  const port = agent.port;
  await agent.stop();
  const hopeless = host.connect({ ...targetOf(agent), sessionId: 'third', port }, abort.signal);
  abort.abort(new Error('too late'));
  await t.rejects(hopeless, /too late/);
});
