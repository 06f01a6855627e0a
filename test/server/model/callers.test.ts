import { once } from 'node:events';
import t from 'tap';
import { WebSocket } from 'ws';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

interface Started {
  session_id: string;
  embed_url: string;
}

const streamOf = ({ embed_url }: Started) => embed_url.replace('http', 'ws').replace('?', '/stream?');

/** What an upgrade is answered that is refused. */
async function refusal(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  response.resume();
  return { status: response.statusCode as number, retryAfter: Number(response.headers['retry-after'] ?? 0) };
}

t.test('viewers of one session, and of one address, are limited', async t => {
  const { api } = await serveInProcess(t, {
    BERTH_MAX_VIEWERS_PER_SESSION: '2',
    BERTH_MAX_VIEWERS_PER_ADDRESS: '3',
    BERTH_TRUST_PROXY: '1',
  });
  const start = async () => streamOf((await (await api('POST', '/v0/vm')).json()) as Started);
  const [one, two] = [await start(), await start()];
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const first = await StreamClient.connect(one, from('192.0.2.1'));
  await StreamClient.connect(one, from('192.0.2.1'));
  t.match(await refusal(one, from('192.0.2.2')), { status: 429, retryAfter: 5 }, 'the session is full');
  await StreamClient.connect(two, from('192.0.2.1'));
  t.match(await refusal(two, from('192.0.2.1')), { status: 429, retryAfter: 5 }, 'the address has all it may have');
  await StreamClient.connect(two, from('192.0.2.2'));
  first.leave();
  await until('a place is free again', () => StreamClient.connect(one, from('192.0.2.3')).catch(() => null));
});

t.test('an IPv6 network counts as one address', async t => {
  const { api } = await serveInProcess(t, { BERTH_MAX_VIEWERS_PER_ADDRESS: '2', BERTH_TRUST_PROXY: '1' });
  const stream = streamOf((await (await api('POST', '/v0/vm')).json()) as Started);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  await StreamClient.connect(stream, from('2001:db8:1:2::1'));
  await StreamClient.connect(stream, from('2001:db8:1:2::2'));
  t.match(await refusal(stream, from('2001:db8:1:2::3')), { status: 429 });
  await StreamClient.connect(stream, from('2001:db8:ffff:2::3'));
});

t.test('an address that opens too many WebSockets must wait', async t => {
  const { api } = await serveInProcess(t, { BERTH_RATE_LIMIT: '5' });
  const stream = streamOf((await (await api('POST', '/v0/vm')).json()) as Started);
  for (let count = 0; count < 5; count++) await StreamClient.connect(stream);
  const { status, retryAfter } = await refusal(stream);
  t.equal(status, 429);
  t.ok(retryAfter > 0 && retryAfter <= 60, `${retryAfter} s`);
});

t.test('wrong credentials are throttled by address, whatever they were for; valid ones are not', async t => {
  const { api, url, apiKey } = await serveInProcess(t, { BERTH_TRUST_PROXY: '1' });
  const started = (await (await api('POST', '/v0/vm')).json()) as Started;
  const from = { 'x-forwarded-for': '192.0.2.1' };
  const get = (path: string, key: string) =>
    fetch(url + path, { headers: { ...from, authorization: `Bearer ${key}` } });
  const wrong = streamOf(started).replace(/token=.*/, 'token=wrong');
  for (let count = 0; count < 20; count++) {
    t.equal((await get('/v0/vm', 'wrong')).status, 401);
    t.equal((await get(`/s/${started.session_id}/users`, 'wrong')).status, 401);
    t.equal((await refusal(wrong, from)).status, 401);
  }
  const answer = await get('/v0/vm', 'wrong');
  t.equal(answer.status, 429);
  t.equal(((await answer.json()) as { code: string }).code, 'rate_limited');
  t.ok(Number(answer.headers.get('retry-after')) > 0);
  const { status, retryAfter } = await refusal(wrong, from);
  t.equal(status, 429);
  t.ok(retryAfter > 0);
  t.equal((await get('/v0/vm', apiKey)).status, 200, 'others behind the same address are not locked out');
  await StreamClient.connect(streamOf(started), from);
  t.equal((await refusal(wrong, { 'x-forwarded-for': '192.0.2.9' })).status, 401, 'another address');
});
