// tags: containers, waiting, slow
import t from 'tap';
import { startService, type Service } from '../../fixtures/services/service.js';
import { containerOf, containersOf, docker } from '../../fixtures/engines/docker.js';
import { until } from '../../fixtures/until.js';

const start = async (service: Service, body: object = {}) => {
  const { status, body: answer } = await service.api('POST', '/v0/vm', body);
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(answer)}`);
  return answer as { session_id: string; embed_url: string; admin_token: string };
};
const read = async (service: Service, id: string) => (await service.api('GET', `/v0/vm/${id}`)).body;
/** Far sooner than the service compares its records with what runs, ms. */
const NOTICED_MS = 5000;
const startedAt = (container: string) => docker('inspect', container, '--format', '{{.Id}} {{.State.StartedAt}}');

t.test('sessions survive kill -9 of the service: they continue, and nothing is started twice', async t => {
  const service = await startService(t);
  const session = await start(service, { tag: 'kept', tenant_id: 'x' });
  const container = containerOf(service, session.session_id);
  const before = await startedAt(container);
  await service.kill9();
  await service.restart();
  t.equal(await startedAt(container), before, 'the container is the same');
  const running = async () => (await read(service, session.session_id)).termination_date === null;
  t.ok(await running());
  await until('the link is open again', () => service.log().includes('session resumed'));
  t.same((await service.api('POST', '/v0/vm', { tag: 'kept' })).body, session, 'address and tokens are the same');
  t.equal((await containersOf(service)).length, 1);
  await service.api('DELETE', `/v0/vm/${session.session_id}`);
  t.same(await containersOf(service), []);
});

t.test('SIGTERM ends the service with status 0, and containers continue', async t => {
  const service = await startService(t);
  const session = await start(service);
  t.equal(await service.stop(), 0);
  t.equal((await containersOf(service)).length, 1);
  await service.restart();
  t.equal((await read(service, session.session_id)).termination_date, null);
});

t.test('a container that is removed or killed ends its session as crashed at once', async t => {
  const service = await startService(t);
  for (const [command, message] of [
    [['rm', '-f'], /^The session's container (is gone|was removed|ended with status 137)\.$/],
    [['kill'], /^The session's container ended with status 137\.$/],
  ] as const) {
    const { session_id: id } = await start(service);
    const since = Date.now();
    await docker(...command, containerOf(service, id));
    const ended = await until('the end', async () => {
      const record = await read(service, id);
      return record.termination_date && record;
    });
    t.equal(ended.termination_reason, 'crashed');
    t.match(ended.termination_message, message);
    // By the clock of engine and service: the engine's client and the reads take their own time on a busy machine.
    const filters = ['--filter', `container=${containerOf(service, id)}`, '--filter', 'event=die'];
    const span = ['--since', (since / 1000).toFixed(3), '--until', (Date.now() / 1000).toFixed(3)];
    const ends = await docker('events', ...span, ...filters, '--format', '{{.TimeNano}}');
    const died = Number(ends.split('\n')[0]) / 1e6;
    t.ok(died > 0, 'the engine tells when');
    t.ok(Date.parse(ended.termination_date) - died < NOTICED_MS, command.join(' '));
    await until('the container is gone', async () => (await containersOf(service)).length === 0);
  }
});

t.test('a container that died while the service was away ends its session as crashed', async t => {
  const service = await startService(t);
  const { session_id: id } = await start(service);
  await service.kill9();
  await docker('rm', '-f', containerOf(service, id));
  await service.restart();
  await until('the end', async () => (await read(service, id)).termination_reason === 'crashed');
});

t.test('a container without a session is removed', async t => {
  const service = await startService(t);
  const { session_id: id } = await start(service);
  await service.kill9();
  const store = await docker('inspect', containerOf(service, id), '--format', '{{index .Config.Labels "berth.store"}}');
  const labels = ['--label', `berth.instance=${service.instance}`, '--label', `berth.store=${store}`];
  const orphan = 'BBBBBBBBBBBBBBBBBBBBBB';
  await docker(
    'run',
    '-d',
    '--name',
    containerOf(service, orphan),
    '--network',
    'none',
    ...labels,
    '--label',
    `berth.session=${orphan}`,
    'debian:trixie-slim',
    'sleep',
    '600',
  );
  await service.restart();
  await until('the orphan is gone', async () => (await containersOf(service)).length === 1);
  t.equal((await read(service, id)).termination_date, null, 'the other one goes on');
});

t.test('a failed start leaves nothing behind and frees its tag', async t => {
  const service = await startService(t);
  const { BERTH_IMAGE_PREFIX: prefix = 'berth' } = process.env;
  const broken = `berth-test-broken-${process.pid}`;
  // The helper's image as it is; the session's image ends at once.
  await docker('tag', `${prefix}/base:latest`, `${broken}/base:latest`);
  await docker('tag', `${prefix}/base:latest`, `${broken}/chromium:latest`);
  t.teardown(() => docker('rmi', `${broken}/base:latest`, `${broken}/chromium:latest`));
  await service.restart({ env: { BERTH_IMAGE_PREFIX: broken } });
  for (const attempt of ['first', 'second']) {
    const failed = await service.api('POST', '/v0/vm', { tag: 'same' });
    t.equal(failed.status, 502, attempt);
    t.equal(failed.body.code, 'start_failed');
  }
  t.same(await containersOf(service), []);
  t.same((await service.api('GET', '/v0/vm')).body.results, []);
  t.same((await service.api('GET', '/v0/vm/usage')).body.usage, []);
  await service.restart();
  t.equal((await service.api('POST', '/v0/vm', { tag: 'same' })).status, 201);
});

t.test('a start interrupted by a kill of the service leaves nothing behind', async t => {
  const service = await startService(t);
  const cut = service.api('POST', '/v0/vm', { tag: 'cut' }).catch(() => null);
  await until('the container is made', async () => (await containersOf(service)).length === 1);
  await service.kill9();
  const answer = await cut;
  await service.restart();
  // The start may have been over by then, and only its answer have been cut off.
  const isStarted = (await service.api('GET', '/v0/vm')).body.results.length === 1;
  if (answer !== null) t.ok(isStarted, 'what was answered goes on');
  if (!isStarted) await until('the container is gone', async () => (await containersOf(service)).length === 0);
  t.equal((await service.api('POST', '/v0/vm', { tag: 'cut' })).status, isStarted ? 200 : 201);
  t.equal((await containersOf(service)).length, 1);
});
