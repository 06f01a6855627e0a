import t, { type Test } from 'tap';
import { Fleet } from '../../../src/server/engines/fleet.js';
import { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { FakeEngine } from '../../fixtures/engines/fake-engine.js';
import { Impostor } from '../../fixtures/agents/impostor.js';
import { serveInProcess, type InProcess } from '../../fixtures/services/in-process.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const KEY = 'the-api-key-of-this-test';

interface Started {
  session_id: string;
  embed_url: string;
}

/** Runs the service, again and again, on the same data and with containers that go on, which speak that version. */
async function runs(t: Test, linkVersion?: number) {
  const agent = await new FakeAgent(linkVersion === undefined ? {} : { linkVersion }).start();
  t.teardown(() => agent.stop());
  const engine = new FakeEngine(agent);
  const folder = t.testdir({});
  const env = { BERTH_DATA_DIR: folder, BERTH_LOG_LEVEL: 'info', BERTH_API_KEYS: KEY };
  const engines = () => new Fleet([{ engine, regions: ['NA'], name: 'fake' }]);
  return { agent, engine, run: () => serveInProcess(t, env, { engines: engines() }) };
}

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

async function start({ url }: InProcess, body: object = {}): Promise<Started> {
  const answer = await fetch(`${url}/v0/vm`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (answer.status !== 201) throw new Error(await answer.text());
  return (await answer.json()) as Started;
}

const recordOf = async ({ url }: InProcess, { session_id }: Started) =>
  (await fetch(`${url}/v0/vm/${session_id}`, { headers })).json() as Promise<{
    termination_reason: string | null;
    termination_message?: string;
  }>;

/** Watches a session, by way of a service that may have another address than the one that started it. */
function watch({ url }: InProcess, { embed_url, session_id }: Started): Promise<StreamClient> {
  const token = new URL(embed_url).searchParams.get('token') ?? '';
  return StreamClient.join(`${url.replace('http', 'ws')}/s/${session_id}/stream?token=${token}`);
}

t.test('sessions in containers started by an older service continue after an upgrade', async t => {
  const { agent, run } = await runs(t, 1);
  const before = await run();
  const session = await start(before, { profile: true });
  await before.service.stop();
  const after = await run();
  const viewer = await watch(after, session);
  await viewer.saw();
  viewer.leave();
  agent.onRequest = (_request, response) => response.end('the profile');
  const ended = await fetch(`${after.url}/v0/vm/${session.session_id}`, { method: 'DELETE', headers });
  t.equal(ended.status, 200);
  await until('its profile is saved', () => /profile saved/.test(after.log()));
});

t.test('a session whose container speaks an unsupported version ends, and says why', async t => {
  const { agent, engine, run } = await runs(t);
  const newer = await run();
  const session = await start(newer);
  await newer.service.stop();
  engine.describe = found => ({ ...found, endpoint: found.endpoint && { ...found.endpoint, linkVersion: 3 } });
  const connections = agent.connections;
  const older = await run();
  await until('it has ended', async () => (await recordOf(older, session)).termination_reason);
  const words = /agent speaks version 3 of the link's protocol, this service 1 to 2/;
  t.match(await recordOf(older, session), { termination_reason: 'crashed', termination_message: words });
  t.match(older.log(), words);
  t.equal(agent.connections, connections);
});

t.test('a session whose address was taken by somebody else ends, and its secrets are not sent', async t => {
  const { agent, engine, run } = await runs(t);
  const before = await run();
  const session = await start(before, { profile: true });
  await before.service.stop();
  const impostor = await new Impostor().start(t);
  impostor.answer = () => 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
  engine.describe = found => ({
    ...found,
    endpoint: { host: '127.0.0.1', port: impostor.port, linkVersion: agent.linkVersion },
  });
  const after = await run();
  await until('it has ended', async () => (await recordOf(after, session)).termination_reason);
  await until('saving its profile was tried', () => /profile not saved/.test(after.log()));
  t.match(after.log(), /link refused/);
  t.ok(impostor.heard.length > 1);
  for (const heard of impostor.heard) {
    t.match(heard, /^GET \/hello [^]*\r\n\r\n$/);
    t.notMatch(heard, /authorization|launch/i);
  }
});

t.test('a start is answered when the agent has accepted the launch', async t => {
  const { agent, run } = await runs(t);
  const service = await run();
  agent.onLaunch = () => null;
  let answered = false;
  const answer = start(service).finally(() => (answered = true));
  await until('it is launched', () => agent.controls.some(({ type }) => type === 'launch'));
  await t.rejects(until('the start is answered', () => answered, 300));
  agent.tell({ type: 'launched' });
  t.match(await recordOf(service, await answer), { termination_reason: null });
});

t.test("a start whose launch the agent refuses fails with the agent's words", async t => {
  const { agent, engine, run } = await runs(t);
  const service = await run();
  agent.onLaunch = () => ({ error: 'It is too new.' });
  const answer = await fetch(`${service.url}/v0/vm`, { method: 'POST', headers, body: '{}' });
  t.match(await answer.json(), { code: 'start_failed', message: 'The agent refused the launch: It is too new.' });
  t.equal(engine.running.size, 0, 'its container is removed');
});
