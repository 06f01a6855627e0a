// tags: containers
import t from 'tap';
import { containerOf, containersOf, docker, shell } from '../../fixtures/engines/docker.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const MOVING =
  'data:text/html,<title>0</title><script>setInterval(() => (document.body.textContent = ++document.title), 50)</script>';

const start = async (service: Service, body: object = {}) => {
  const { status, body: answer } = await service.api('POST', '/v0/vm', body);
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(answer)}`);
  return answer as { session_id: string; embed_url: string };
};
const streamOf = (url: string) => url.replace(/^http/, 'ws').replace('?', '/stream?');
const read = async (service: Service, id: string) => (await service.api('GET', `/v0/vm/${id}`)).body;
const query = (service: Service, id: string) => service.api('POST', `/s/${id}/tabs.query`, [{}]);
const killAgent = (container: string) => shell(container, 'kill -9 $(pidof node)');
const processes = async (container: string) => (await docker('top', container, '-o', 'pid')).split('\n').length;

t.test('a killed agent interrupts viewers for a moment, and the session continues', async t => {
  const service = await startService(t);
  const { session_id: id, embed_url: url } = await start(service, { start_url: MOVING, profile: true });
  const container = containerOf(service, id);
  const viewer = await StreamClient.join(streamOf(url));
  await viewer.heard('session', ({ state }) => state === 'running');
  const titles = async () =>
    (
      await until('tabs', async () => {
        const { status, body } = await query(service, id);
        return status === 200 && (body as { title: string }[]);
      })
    ).map(({ title }) => Number(title));
  const [before = NaN] = await titles();
  const counted = await processes(container);

  for (const time of ['first', 'second', 'third']) {
    await killAgent(container);
    const killed = performance.now();
    const frame = await viewer.saw(({ key, at }) => key && at > killed);
    t.comment(`${time} time: a picture after ${Math.round(frame.at - killed)} ms`);
    await until('it runs', () => viewer.all('session').at(-1)?.state === 'running');
  }
  const [after = NaN] = await titles();
  t.ok(after > before, `the page counts on, from ${before} to ${after}`);
  t.equal((await read(service, id)).termination_date, null);
  await until('as many processes as before', async () => (await processes(container)) === counted);
  t.equal((await service.api('DELETE', `/v0/vm/${id}`)).status, 200);
  const kept = await start(service, { profile: { load: id } });
  t.ok(kept.session_id, 'its profile was saved');
});

t.test('an agent is killed while its session starts', async t => {
  const service = await startService(t);
  for (const wait of [0, 150, 400]) {
    const answered = start(service, { start_url: MOVING });
    const [container = ''] = await until('the container', async () => {
      const names = await containersOf(service);
      return names.length > 0 && names;
    });
    await until(
      'the agent is there',
      async () => (await shell(container, `pidof node && sleep ${wait / 1000}`)).status === 0,
    );
    await killAgent(container);
    const { session_id: id } = await answered;
    const { body } = await until('its browser answers', async () => {
      const answer = await query(service, id);
      return answer.status === 200 && answer;
    });
    t.equal(body.length, 1, `killed after ${wait} ms`);
    t.equal((await shell(container, 'pgrep -c -f "^/usr/lib/chromium/chromium --ozone"')).output.trim(), '1');
    await service.api('DELETE', `/v0/vm/${id}`);
    await until('the container is gone', async () => (await containersOf(service)).length === 0);
  }
});

t.test('the agent of a warm container is killed', async t => {
  const service = await startService(t, { BERTH_WARM_POOL: '1' });
  const waits = async () => (await containersOf(service))[0];
  const spare = await until('it waits', waits);
  await until('the agent is there', async () => (await shell(spare, 'pidof node')).status === 0);
  await killAgent(spare);
  const { session_id: id } = await start(service, { start_url: MOVING });
  t.equal(containerOf(service, id), spare, 'it is given out nonetheless');
  await until('its browser answers', async () => (await query(service, id)).status === 200);
});

t.test('an agent that cannot be kept running ends its session', async t => {
  const service = await startService(t);
  const { session_id: id, embed_url: url } = await start(service);
  const viewer = await StreamClient.join(streamOf(url));
  await until('the session ends', async () => {
    await killAgent(containerOf(service, id));
    return (await read(service, id)).termination_date;
  });
  t.equal((await read(service, id)).termination_reason, 'crashed');
  t.match(await viewer.heard('end'), {
    reason: 'crashed',
    message: /agent in the session's container could not be kept running/,
  });
  await until('the container is gone', async () => (await containersOf(service)).length === 0);
});
