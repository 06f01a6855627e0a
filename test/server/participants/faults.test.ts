import t from 'tap';
import { MessageType } from '../../../src/protocol/message-type.js';
import { SESSION, startSession, targetOf } from '../../fixtures/services/session-host.js';
import { displayMessage } from '../../fixtures/agents/messages.js';
import { stopwatch } from '../../fixtures/own-time.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

t.test('a lost link is reopened, and all state is sent again', async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  viewer.input({ type: 'key', down: true, keysym: 0x61 });
  await until('the key', () => agent.messages(MessageType.key).length === 1);
  agent.controls.length = agent.received.length = 0;
  await agent.stop();
  await viewer.heard('session', ({ state }) => state === 'restarting');
  const before = performance.now();
  await agent.start();
  await viewer.heard('session', () => viewer.all('session').at(-1)?.state === 'running');
  await viewer.saw(frame => frame.key && frame.at > before);
  t.match(agent.controls, [{ type: 'launch' }, { type: 'presence', viewers: 1 }]);
  t.match(agent.messages(MessageType.stream)[0], { bytes: Buffer.of(MessageType.stream, 1, 1) });
  const wishes = agent.received
    .map(({ type }) => type)
    .filter(type => type === MessageType.stream || type === MessageType.rate);
  t.same(wishes.slice(0, 2), [MessageType.stream, MessageType.rate]);
  t.equal(host.viewerCount(), 1);
});

t.test('an agent that is back before its picture does not hide why that is missing', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  agent.state = { type: 'state', state: 'restarting' };
  const { connections } = agent;
  agent.breakLinks();
  await until('the link is open again', () => agent.connections > connections);
  agent.tell({ type: 'state', state: 'running' });
  const restarts = () => viewer.all('session').filter(({ state }) => state === 'restarting');
  await until('it runs again', () => restarts().length > 0 && viewer.all('session').at(-1)?.state === 'running');
  t.same(
    restarts().map(({ step, message }) => [step, message]),
    [['link', 'The connection to the session was lost.']],
  );
});

t.test('an agent whose link was lost while the last viewer left returns choosers to the browser', async t => {
  const { agent, host, url } = await startSession(t, {
    defaults: { roles: ['file_upload', 'control'], control_disabled: false },
  });
  const told = () =>
    agent.controls.flatMap(message =>
      message.type === 'call' && message.method === 'files.enable' ? message.args : [],
    );
  const viewer = await StreamClient.join(url, { files: true });
  await until('choosers are for viewers', () => told().at(-1) === true);
  await agent.stop();
  await viewer.heard('session', ({ state }) => state === 'restarting');
  viewer.leave();
  await until('it has left', () => host.viewerCount() === 0);
  agent.controls.length = 0;
  await agent.start();
  await until('they are for the browser', () => told().length > 0);
  t.same(told(), [false]);
});

t.test('a link that breaks for a moment is reopened at once', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  await viewer.saw();
  const before = agent.frame;
  const watch = stopwatch(t);
  agent.breakLinks();
  await viewer.saw(({ key, id }) => key && id > before);
  const waited = watch();
  t.ok(waited < 400, `picture again after ${Math.round(waited)} ms`);
});

t.test('a display changed before the service restarted is learnt from the agent', async t => {
  const { agent, host, url } = await startSession(t);
  agent.send(displayMessage(1000, 500));
  const viewer = await StreamClient.join(url);
  await until('the display', () => viewer.all('display').at(-1)?.width === 1000);
  viewer.tell({ type: 'resize', width: 600, height: 400 });
  await until('asked', () => agent.messages(MessageType.setDisplay).length === 1);
  agent.breakLinks();
  await until(
    'asked again by the new link, since no answer came',
    () => agent.messages(MessageType.setDisplay).length === 2,
  );
  agent.send(displayMessage(600, 400));
  await viewer.heard('display', ({ width }) => width === 600);
  agent.breakLinks();
  await until('a third link', () => agent.connections === 3 && host.states.length === 3);
  t.equal(agent.messages(MessageType.setDisplay).length, 2);
});

t.test('viewers are told of the end and its reason', async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  const closed = viewer.closed();
  await host.end(SESSION, { reason: 'inactive', message: 'Nobody did anything.' });
  await host.end(SESSION, { reason: 'request' });
  t.equal(await closed, 4000);
  t.same(viewer.told.at(-1), { type: 'end', reason: 'inactive', message: 'Nobody did anything.' });
  t.equal(host.viewerCount(), 0);
  await until('the link is closed', () => agent.sockets.size === 0);
});

t.test('a stopping service tells its viewers to reconnect', async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  const closed = viewer.closed();
  await host.disconnect();
  t.equal(await closed, 1012);
  t.equal(viewer.all('end').length, 0);
  await until('the link is closed', () => agent.sockets.size === 0);
  await t.rejects(host.connect(targetOf(agent)), /stopped/);
});

t.test('warnings reach viewers, including later ones, until they are withdrawn', async t => {
  const { host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  host.warn({ type: 'warning', timeout: 'inactive', delay_ms: 60_000 });
  await viewer.heard('warning', ({ timeout }) => timeout === 'inactive');
  const late = await StreamClient.join(url);
  await late.heard('warning', ({ timeout }) => timeout === 'inactive');
  host.warn({ type: 'warning' });
  await viewer.heard('warning', ({ timeout }) => timeout === undefined);
  const later = await StreamClient.join(url);
  await later.saw();
  t.equal(later.all('warning').length, 0);
});

t.test("the agent's states and activity are passed on", async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  agent.tell({ type: 'state', state: 'restarting', message: 'The browser starts again.' });
  await viewer.heard('session', ({ message }) => message === 'The browser starts again.');
  agent.tell({ type: 'activity', idle_ms: 12, offline_ms: null });
  await until('activity', () => host.activities.at(-1)?.idle_ms === 12);
  t.equal(host.states.at(-1)?.state, 'restarting');
});
