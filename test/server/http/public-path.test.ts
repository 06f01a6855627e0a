import t from 'tap';
import { SessionClient } from '../../../src/client/index.js';
import { pathProxy } from '../../fixtures/networks/path-proxy.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';

for (const strips of [true, false]) {
  t.test(`a public address may have a path, which the proxy ${strips ? 'takes off' : 'leaves'}`, async t => {
    const proxy = await pathProxy(t, '/tools/berth', strips);
    const service = await serveInProcess(t, { BERTH_PUBLIC_URL: `${proxy.url}/` });
    proxy.target = service.url;
    const get = (path: string) => fetch(proxy.url + path, { redirect: 'manual' });
    const started = await fetch(`${proxy.url}/v0/vm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    t.equal(started.status, 201);
    const { embed_url, session_id, admin_token } = (await started.json()) as Record<string, string>;
    const address = `${proxy.url}/s/${session_id}`;
    t.match(embed_url, new RegExp(`^${address}\\?token=`));
    const stream = (embed_url ?? '').replace('http', 'ws').replace('?', '/stream?');
    const viewer = await StreamClient.join(stream);
    const client = new SessionClient(embed_url ?? '', admin_token ?? '');
    t.equal((await client.listUsers()).length, 1, 'the Node client calls the session');
    viewer.leave();
    t.match(await (await get('/openapi.json')).json(), { servers: [{ url: '/tools/berth' }] });
    const docs = await get('/docs');
    t.equal(docs.status, 200);
    t.notMatch(await docs.text(), /(?:src|href)="\//, 'nothing of it is at an absolute path');
    t.equal((await fetch(`${service.url}/healthz`)).status, 200, 'probes reach the service without the path');
    t.equal((await get('/nothing')).status, 404);
  });
}

t.test('the path alone is sent on to where links are relative to it', async t => {
  const proxy = await pathProxy(t, '/berth', false);
  const service = await serveInProcess(t, { BERTH_PUBLIC_URL: proxy.url });
  proxy.target = service.url;
  const answer = await fetch(`${proxy.url}?a=b`, { redirect: 'manual' });
  t.same([answer.status, answer.headers.get('location')], [308, '/berth/?a=b']);
});

t.test('a slash at the end of the address of a page leads to the page', async t => {
  const { url, api } = await serveInProcess(t);
  const { embed_url } = (await (await api('POST', '/v0/vm')).json()) as { embed_url: string };
  const { pathname, search } = new URL(embed_url);
  for (const [path, rest] of [
    [pathname, search],
    [pathname, '?token=wrong'],
    ['/docs', ''],
  ] as const) {
    const answer = await fetch(`${url}${path}/${rest}`, { redirect: 'manual' });
    t.equal(answer.status, 308, path);
    t.equal(new URL(answer.headers.get('location') ?? '', answer.url).href, `${url}${path}${rest}`);
    t.equal(answer.headers.get('cache-control'), 'no-store');
  }
  t.equal((await api('GET', '/v0/vm/')).status, 200, 'calls are answered at once');
});
