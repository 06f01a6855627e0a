import t from 'tap';
import { EngineError } from '../../../src/server/engines/index.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

interface Started {
  session_id: string;
}
interface Record_ {
  termination_date: string | null;
  termination_reason?: string;
  termination_message?: string;
}

t.test('a session whose machine is cleared saves its profile and ends before its container does', async t => {
  const { api, engine, agent, log } = await serveInProcess(t, { BERTH_LOG_LEVEL: 'info' });
  agent.onRequest = (_request, response) => response.end('the profile');
  const { session_id: id } = (await (await api('POST', '/v0/vm', { profile: true })).json()) as Started;
  const record = async () => (await (await api('GET', `/v0/vm/${id}`)).json()) as Record_;
  const end = Date.now() + 2000;
  engine.events?.leaving(id, end);
  engine.events?.leaving(id, end);
  t.equal((await record()).termination_date, null, 'it goes on until it must end');
  await until('it has ended', async () => (await record()).termination_date !== null);
  const { termination_reason: reason, termination_message: message } = await record();
  t.equal(reason, 'crashed');
  t.match(message, /taken out of service/);
  await until('the container is removed', () => engine.running.size === 0);
  t.match(log(), 'profile saved');
  t.equal(log().match(/the engine ends the session's container/g)?.length, 1, 'told twice, done once');
});

t.test('a session whose container goes without any time left ends with the reason of its end', async t => {
  const { api, engine } = await serveInProcess(t);
  const { session_id: id } = (await (await api('POST', '/v0/vm')).json()) as Started;
  const record = async () => (await (await api('GET', `/v0/vm/${id}`)).json()) as Record_;
  engine.events?.leaving(id, Date.now());
  t.equal((await record()).termination_date, null);
  engine.events?.exited(id, { type: 'removed', at: null });
  await until('it has ended', async () => (await record()).termination_date !== null);
  t.match((await record()).termination_message, /container was removed/);
});

t.test('a session that a list lacks goes on as long as its container is found by name', async t => {
  const { api, engine } = await serveInProcess(t);
  const { session_id: id } = (await (await api('POST', '/v0/vm')).json()) as Started;
  const ended = async () => ((await (await api('GET', `/v0/vm/${id}`)).json()) as Record_).termination_date !== null;
  engine.unlisted.add(id);
  let lists = 0;
  engine.listing = async () => void lists++;
  // The second comparison begins when the first is over.
  for (const wanted of [1, 2]) {
    engine.events?.connected();
    await until('it is compared', () => lists >= wanted);
  }
  t.equal(await ended(), false);
  engine.running.delete(id);
  engine.events?.connected();
  await until('it ends', ended);
});

t.test('an engine without room is told apart from one that fails', async t => {
  const { api, engine } = await serveInProcess(t);
  engine.refusal = () => new EngineError('full', 'No node has room for the session.');
  const response = await api('POST', '/v0/vm');
  const { code, message } = (await response.json()) as { code: string; message: string };
  t.same([response.status, code, message], [429, 'capacity', 'No node has room for the session.']);
});
