import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Fleet } from '../../src/server/engines/fleet.js';
import { FakeAgent } from '../fixtures/agents/fake-agent.js';
import { FakeEngine } from '../fixtures/engines/fake-engine.js';
import { serveInProcess, type InProcess } from '../fixtures/services/in-process.js';
import { StreamClient } from '../fixtures/viewers/stream-client.js';
import { until } from '../fixtures/until.js';

const [OLD, NEW] = ['the-old-secret-of-this-test-'.padEnd(40, 'o'), 'the-new-secret-of-this-test-'.padEnd(40, 'n')];
const [FIRST, SECOND] = ['the-first-api-key', 'the-second-api-key'];

interface Started {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

/** Runs the service as it is configured, on the same data and with containers that go on, until it is stopped. */
function runs(t: Test, dataDir: string, agent: FakeAgent) {
  const engine = new FakeEngine(agent);
  return (env: Record<string, string>): Promise<InProcess> =>
    serveInProcess(
      t,
      { BERTH_DATA_DIR: dataDir, BERTH_LOG_LEVEL: 'info', ...env },
      { engines: new Fleet([{ engine, regions: ['NA'], name: 'fake' }]) },
    );
}

const call = async (service: InProcess, key: string, method: string, path: string) =>
  fetch(service.url + path, { method, headers: { authorization: `Bearer ${key}` } });
const start = async (service: InProcess, key: string) =>
  (await (await call(service, key, 'POST', '/v0/vm')).json()) as Started;
const tokenOf = ({ embed_url }: Started) => new URL(embed_url).searchParams.get('token') ?? '';
const watch = (service: InProcess, session: Started) =>
  StreamClient.join(`${service.url.replace('http', 'ws')}/s/${session.session_id}/stream?token=${tokenOf(session)}`);

t.test('API keys and secret can be rotated while sessions continue', async t => {
  const agent = await new FakeAgent().start();
  t.teardown(() => agent.stop());
  const run = runs(t, t.testdir({}), agent);

  const before = await run({ BERTH_SECRET: OLD, BERTH_API_KEYS: FIRST });
  const session = await start(before, FIRST);
  await watch(before, session);
  await before.service.stop();

  const overlap = await run({ BERTH_SECRETS: `${NEW},${OLD}`, BERTH_API_KEYS: `${SECOND},${FIRST}` });
  const path = `/s/${session.session_id}`;
  await watch(overlap, session);
  t.equal((await call(overlap, session.admin_token, 'GET', `${path}/users`)).status, 200);
  for (const key of [FIRST, SECOND]) {
    const record = (await (await call(overlap, key, 'GET', `/v0/vm/${session.session_id}`)).json()) as Started;
    t.same([tokenOf(record), record.admin_token], [tokenOf(session), session.admin_token], 'its tokens are the same');
  }
  t.match(overlap.log(), /"sessions":1,"profiles":0,"msg":"older secrets in use"/);
  const newer = await start(overlap, SECOND);
  await overlap.service.stop();

  const after = await run({ BERTH_SECRET: NEW, BERTH_API_KEYS: SECOND });
  t.equal((await call(after, FIRST, 'GET', '/v0/vm')).status, 401);
  t.equal((await call(after, SECOND, 'GET', '/v0/vm')).status, 200);
  await watch(after, newer);
  t.equal((await call(after, session.admin_token, 'GET', `${path}/users`)).status, 401);
  const reason = await until('the session whose secret is gone ends', async () => {
    const record = await (await call(after, SECOND, 'GET', `/v0/vm/${session.session_id}`)).json();
    return (record as { termination_reason?: string }).termination_reason;
  });
  t.equal(reason, 'crashed');
});

t.test('a generated secret can be rotated in its file', async t => {
  const agent = await new FakeAgent().start();
  t.teardown(() => agent.stop());
  const folder = t.testdir({ secret: `${OLD}\n` });
  const run = runs(t, folder, agent);
  const first = await run({ BERTH_API_KEYS: FIRST });
  const session = await start(first, FIRST);
  await first.service.stop();
  await writeFile(join(folder, 'secret'), `${NEW}\n\n${OLD}\n`);
  const second = await run({ BERTH_API_KEYS: FIRST });
  await watch(second, session);
  t.equal((await call(second, session.admin_token, 'GET', `/s/${session.session_id}/users`)).status, 200);
});
