import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';

const LENIENT = { prefer: 'handling=lenient' };

t.test('empty query parameters count as absent', async t => {
  const { api } = await serveInProcess(t);
  for (const path of ['/v0/vm?after_id=', '/v0/vm/usage?tenant_id=&period=&from=&to='])
    t.equal((await api('GET', path)).status, 200, path);
  t.equal((await api('GET', '/v0/vm?after_id=x')).status, 400);
});

t.test('Prefer: handling=lenient is confirmed where it is honoured', async t => {
  const session = await startFakedSession(t);
  const post = (path: string, body: unknown, headers = {}) =>
    session.call('POST', path, body, session.adminToken, headers);
  const lenient = await post('/timeout', { absolute: 7200, colour: 'red' }, LENIENT);
  t.same([lenient.status, lenient.headers.get('preference-applied')], [200, 'handling=lenient']);
  const strict = await post('/timeout', { absolute: 7200, colour: 'red' });
  t.same([strict.status, strict.headers.get('preference-applied')], [400, null]);
  t.equal((await post('/ping', undefined, LENIENT)).headers.get('preference-applied'), null);
});

t.test('pages of any origin may send and read what an integration needs', async t => {
  const session = await startFakedSession(t);
  const preflight = await fetch(`${session.service.url}/s/${session.id}/timeout`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://integrator.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,prefer',
    },
  });
  const listed = (answer: Response, name: string) => (answer.headers.get(name) ?? '').split(/,\s*/);
  t.equal(preflight.status, 204);
  for (const name of ['authorization', 'content-type', 'prefer', 'idempotency-key', 'x-request-id'])
    t.ok(listed(preflight, 'access-control-allow-headers').includes(name), name);
  const refused = await fetch(`${session.service.url}/s/${session.id}/users`);
  t.equal(refused.headers.get('access-control-allow-origin'), '*', 'errors, too');
  for (const name of ['retry-after', 'x-request-id', 'content-disposition', 'etag', 'preference-applied'])
    t.ok(listed(refused, 'access-control-expose-headers').includes(name), name);
});

t.test('without a token of the session, nobody learns whether it exists, and the store is not asked', async t => {
  const session = await startFakedSession(t);
  const unknown = 'A'.repeat(22);
  for (const id of [session.id, unknown, 'x']) {
    for (const path of [`/s/${id}?token=wrong`, `/s/${id}/status?token=wrong`, `/s/${id}/status`]) {
      const answer = await fetch(session.service.url + path);
      t.same([answer.status, ((await answer.json()) as { code: string }).code], [401, 'invalid_token'], path);
    }
    const call = await fetch(`${session.service.url}/s/${id}/users`, { headers: { authorization: 'Bearer wrong' } });
    t.same([call.status, ((await call.json()) as { code: string }).code], [401, 'unauthorized'], id);
  }
});

t.test('the description is sent once to each client, and limited like everything else', async t => {
  const { url } = await serveInProcess(t, { BERTH_RATE_LIMIT: '10', BERTH_LOG_LEVEL: 'info' });
  for (const path of ['/openapi.json', '/docs']) {
    const etag = (await fetch(url + path)).headers.get('etag') ?? '';
    t.match(etag, /^"[\w-]{43}"$/);
    // fetch would ask for a fresh one.
    const [again] = (await once(get(url + path, { headers: { 'if-none-match': etag } }), 'response')) as [
      IncomingMessage,
    ];
    t.same([again.statusCode, (await text(again)).length], [304, 0], path);
  }
  for (let left = 6; left > 0; left--) t.equal((await fetch(`${url}/docs`)).status, 200);
  t.match(await (await fetch(`${url}/openapi.json`)).json(), { code: 'rate_limited' });
  t.equal((await fetch(`${url}/metrics`)).status, 429);
});

t.test('many viewers at one address load the player; what watches the service is never limited', async t => {
  const { url, log } = await serveInProcess(t, { BERTH_RATE_LIMIT: '10', BERTH_LOG_LEVEL: 'info' });
  const statuses = async (path: string, count: number) => {
    const all: number[] = [];
    for (let left = count; left > 0; left--) all.push((await fetch(url + path)).status);
    return new Set(all);
  };
  t.same(await statuses('/assets/none.js', 100), new Set([404]));
  t.same(await statuses('/assets/none.js', 1), new Set([429]));
  t.same(await statuses('/healthz', 200), new Set([200]));
  t.same(await statuses('/readyz', 200), new Set([200]));
  t.notMatch(log(), '"status":429', 'what is over the limit is not written down one by one');
});
