import { readdir } from 'node:fs/promises';
import t, { type Test } from 'tap';
import type { ProfileList, SessionList, TenantDeleted, Usage } from '../../../src/protocol/generated/schemas.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { webhookReceiver } from '../../fixtures/services/webhook-receiver.js';
import { until } from '../../fixtures/until.js';

/** A tar archive ends with two empty blocks. */
const EMPTY_ARCHIVE = Buffer.alloc(1024);

/** A service whose sessions have something to save, once it may be, and what is done there. */
async function serve(t: Test, mayBeSaved: Promise<void> = Promise.resolve()) {
  const folder = t.testdir({});
  const { agent, api, engine } = await serveInProcess(t, { BERTH_PROFILE_DIR: folder, BERTH_WEBHOOK_PRIVATE: 'true' });
  let asked = 0;
  agent.onRequest = (request, response) => {
    request.resume();
    if (request.method === 'PUT') return void response.writeHead(204).end();
    asked++;
    void mayBeSaved.then(() => response.writeHead(200, { 'content-type': 'application/x-tar' }).end(EMPTY_ARCHIVE));
  };
  const read = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await api(method, path, body);
    t.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return (await answer.json()) as T;
  };
  return {
    engine,
    files: () => readdir(folder),
    asked: () => asked,
    start: async (body: object) => (await read<{ session_id: string }>('POST', '/v0/vm', body)).session_id,
    end: (id: string) => read('DELETE', `/v0/vm/${id}`),
    sessions: async (query: string) => (await read<SessionList>('GET', `/v0/vm?state=all&${query}`)).results,
    profiles: async () => (await read<ProfileList>('GET', '/v0/profiles')).results.map(({ id }) => id),
    usage: async (tenant: string) => (await read<Usage>('GET', `/v0/vm/usage?tenant_id=${tenant}`)).usage,
    erase: (tenant: string, query = '') =>
      read<TenantDeleted>('DELETE', `/v0/tenants/${encodeURIComponent(tenant)}${query}`),
  };
}

t.test("a tenant's sessions end and its data go, and no other's", async t => {
  const service = await serve(t);
  const receiver = await webhookReceiver(t, 500);
  const own = 'customer/17 ü';
  const used = await service.start({ tenant_id: own, profile: true });
  const saved = await service.start({ tenant_id: own, profile: true });
  for (const id of [used, saved]) await service.end(id);
  const timeout = { absolute: 1, warning: null, webhook: { url: receiver.url, bearer: 'x' } };
  const expired = await service.start({ tenant_id: own, timeout });
  await until('its webhook was tried', () => receiver.received.length > 0);
  await service.start({ tenant_id: own, profile: true });
  const other = await service.start({ tenant_id: 'b', profile: { load: used } });
  t.equal((await service.sessions(`tenant_id=${encodeURIComponent(own)}`)).length, 4);

  const gone = await service.erase(own);
  t.same(gone, {
    ...{ tenant_id: own, sessions_ended: 1, session_records: 4, profiles: 1, profiles_in_use: [used] },
    ...{ webhooks: 1, events: gone.events, idempotency_keys: 0, usage_days: 0 },
  });
  t.ok(gone.events > 0);
  t.same(await service.sessions(`tenant_id=${encodeURIComponent(own)}`), []);
  t.same(await service.profiles(), [used]);
  t.same(await service.files(), [`${used}.profile`]);
  t.same([...service.engine.running], [other]);
  t.not(expired, other);
  t.ok((await service.usage(encodeURIComponent(own))).length > 0, 'its usage stays');

  await service.end(other);
  const again = await service.erase(own, '?usage=true');
  t.match(again, { sessions_ended: 0, session_records: 0, profiles: 1, profiles_in_use: [], webhooks: 0 });
  t.ok(again.usage_days > 0);
  t.same(await service.usage(encodeURIComponent(own)), []);
  t.ok((await service.usage('b')).length > 0);
  t.same(await service.files(), []);
  t.match(await service.erase('nobody'), { sessions_ended: 0, session_records: 0, profiles: 0 });
});

t.test('what a session was about to save does not come back', async t => {
  let go: () => void = () => undefined;
  const service = await serve(t, new Promise(resolve => (go = resolve)));
  const id = await service.start({ tenant_id: 'a', profile: true });
  const ending = service.end(id);
  await until('its profile is being saved', () => service.asked() > 0);
  t.match(await service.erase('a'), { sessions_ended: 0, session_records: 1, profiles: 0 });
  go();
  await ending;
  t.same([await service.profiles(), await service.files()], [[], []]);
  await until('its container is gone', () => service.engine.running.size === 0);
});
