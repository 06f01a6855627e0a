// tags: containers
import t from 'tap';
import { startService, troubles, type Service } from '../../fixtures/services/service.js';
import { containerOf, docker } from '../../fixtures/engines/docker.js';
import { engineProxy } from '../../fixtures/engines/proxy.js';
import { until } from '../../fixtures/until.js';

const start = async (service: Service, body: object = {}) => {
  const { status, body: answer } = await service.api('POST', '/v0/vm', body);
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(answer)}`);
  return answer as { session_id: string; embed_url: string; admin_token: string };
};
const read = async (service: Service, id: string) => (await service.api('GET', `/v0/vm/${id}`)).body;

t.test('while the engine is down starts are answered with 503, and service resumes by itself', async t => {
  const engine = await engineProxy(t);
  const service = await startService(t, { BERTH_REGIONS: `NA=${engine.address}` });
  const { session_id: id } = await start(service);

  await engine.down();
  const refused = await service.api('POST', '/v0/vm');
  t.same([refused.status, refused.body.code], [503, 'engine_unavailable']);
  t.match(refused.body.message, /^The container engine cannot be reached.*\.$/);
  // Its answer is good for a second.
  await until('its trouble is told', async () => (await troubles(service)).length > 0);
  t.equal((await fetch(`${service.url}/readyz`)).status, 200, 'viewers are not sent away');
  t.equal((await fetch(`${service.url}/healthz`)).status, 200);
  t.equal((await read(service, id)).termination_date, null, 'a session does not end because the engine is silent');

  await engine.up();
  await until('its trouble is over', async () => (await troubles(service)).length === 0);
  t.equal((await service.api('POST', '/v0/vm')).status, 201);
  t.equal((await read(service, id)).termination_date, null);
});

t.test('the service starts while the engine is down, and ends what died meanwhile', async t => {
  const engine = await engineProxy(t);
  const service = await startService(t, { BERTH_REGIONS: `NA=${engine.address}` });
  const [kept, lost] = [await start(service), await start(service)];
  await service.kill9();
  await engine.down();
  await docker('rm', '-f', containerOf(service, lost.session_id));
  await service.restart({ wait: false });
  await until('the service answers', async () => (await fetch(`${service.url}/healthz`).catch(() => null))?.ok);
  t.equal((await fetch(`${service.url}/readyz`)).status, 503);
  t.equal((await read(service, lost.session_id)).termination_date, null, 'nobody knows yet');
  await engine.up();
  await until('the end', async () => (await read(service, lost.session_id)).termination_reason === 'crashed');
  t.equal((await read(service, kept.session_id)).termination_date, null);
});
