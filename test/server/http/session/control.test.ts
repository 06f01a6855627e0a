import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';
import { serveInProcess } from '../../../fixtures/services/in-process.js';
import { stopwatch } from '../../../fixtures/own-time.js';
import { until } from '../../../fixtures/until.js';

const service = await serveInProcess(t);
const { agent } = service;
const start = (options = {}) => startFakedSession(t, options, service);
const record = async (id: string) =>
  (await (await service.api('GET', `/v0/vm/${id}`)).json()) as Record<string, string>;
const endOf = (id: string) =>
  until('the end', async () => Date.parse((await record(id))['termination_date'] ?? '') || null);
const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** By how much the service may be late because other programs had the processor, ms so far. */
function lateness(t: Test): () => number {
  const [begun, watch] = [performance.now(), stopwatch(t)];
  return () => performance.now() - begun - watch();
}

t.test('timeout: omitted timeouts keep their values, null disables one, the answer is in seconds', async t => {
  const { call } = await start({ timeout: { inactive: 600 } });
  const set = async (body?: object) => (await call('POST', '/timeout', body)).body;
  t.same(await set(), { absolute: null, inactive: 600, offline: 3600, warning: 60 });
  t.same(await set({ absolute: 1.5e3, offline: null }), { absolute: 1500, inactive: 600, offline: null, warning: 60 });
  t.same(await set({ inactive: null, warning: null, reset: false }), {
    absolute: 1500,
    inactive: null,
    offline: null,
    warning: null,
  });
  for (const [body, path] of [
    [{ absolute: 0 }, '/absolute'],
    [{ idle: 1 }, '/idle'],
    [{ reset: 'no' }, '/reset'],
    [[], ''],
  ] as const)
    t.match(await call('POST', '/timeout', body), { status: 400, body: { code: 'invalid_body', details: [{ path }] } });
});

t.test('counters restart unless reset is false; the change takes effect on time', async t => {
  const [anew, going] = [await start({ timeout: { absolute: 3 } }), await start({ timeout: { absolute: 3 } })];
  const viewer = await anew.join();
  await viewer.heard('warning', ({ timeout }) => timeout === 'absolute');
  const created = Date.parse((await record(going.id))['creation_date'] ?? '');
  const late = lateness(t);
  await going.call('POST', '/timeout', { reset: false });
  const at = Date.now();
  await anew.call('POST', '/timeout', {});
  const reset = Date.now();
  const second = await endOf(going.id);
  t.ok(second >= created + 2990 && second <= created + 4000 + late(), `${second - created} ms after the start`);
  const first = await endOf(anew.id);
  t.ok(first >= at + 2990 && first <= reset + 4000 + late(), `${first - at} ms after the reset`);
});

t.test('a timeout that is disabled is no longer announced', async () => {
  const { call, join } = await start({ timeout: { absolute: 30 } });
  const viewer = await join();
  await viewer.heard('warning', ({ timeout }) => timeout === 'absolute');
  await call('POST', '/timeout', { absolute: null });
  await viewer.heard('warning', ({ timeout }) => timeout === undefined);
});

t.test('ping: the inactivity counter restarts, even if the agent does not get it', async t => {
  const { id, call } = await start({ timeout: { inactive: 2, warning: null } });
  agent.controls.length = 0;
  const begun = Date.now();
  let [before, after] = [begun, begun];
  while (before < begun + 3000) {
    before = Date.now();
    t.match(await call('POST', '/ping'), { status: 200, body: {} });
    after = Date.now();
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  t.equal((await record(id))['termination_date'], null);
  t.ok(
    agent.controls.some(({ type }) => type === 'keepAlive'),
    'the agent hears it',
  );
  const late = lateness(t);
  const ended = await endOf(id);
  t.ok(ended >= before + 1990 && ended <= after + 3000 + late(), `${ended - after} ms after the last one`);
});

t.test('bookmarks are streamed to the agent, and the number of appended ones is returned', async t => {
  const { call } = await start();
  let got = '';
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    got = `${request.method} ${request.url} `;
    for await (const chunk of request) got += String(chunk);
    response.end('{"appended":3}');
  };
  agent.onRequest = (request, response) => void take(request, response);
  t.match(await call('POST', '/bookmarks', '<DL>…</DL>', undefined, HTML), { status: 200, body: { appended: 3 } });
  t.equal(got, 'POST /bookmarks <DL>…</DL>');
  t.match(await call('POST', '/bookmarks', '{}'), { status: 415, body: { code: 'unsupported_media_type' } });
  t.match(await call('POST', '/bookmarks', 'x'.repeat(5_000_001), undefined, HTML), { status: 413 });
  agent.onRequest = (_request, response) => void response.end('{"appended":"many"}');
  t.match(await call('POST', '/bookmarks', 'x', undefined, HTML), { status: 502, body: { code: 'agent_failed' } });
  agent.onRequest = (_request, response) => void response.writeHead(503).end('{"code":"not_ready","message":"Wait."}');
  t.match(await call('POST', '/bookmarks', 'x', undefined, HTML), { status: 503, body: { code: 'not_ready' } });
});

t.test('bookmarks of unknown length are cut off at 5 MB', async t => {
  const { id, adminToken } = await start();
  agent.onRequest = request => void request.resume();
  const body = new ReadableStream({
    pull: controller => controller.enqueue(new Uint8Array(1 << 20)),
  });
  const answer = await fetch(`${service.url}/s/${id}/bookmarks`, {
    method: 'POST',
    headers: { ...HTML, authorization: adminToken },
    body,
    duplex: 'half',
  } as RequestInit);
  t.equal(answer.status, 413);
});

t.test('screenshot: the picture is passed through', async t => {
  const { id, adminToken, call } = await start();
  const picture = Buffer.from('89504e470d0a1a0a', 'hex');
  const asked: (string | undefined)[] = [];
  agent.onRequest = (request, response) => {
    asked.push(request.url);
    response.writeHead(200, { 'content-type': 'text/html' }).end(picture);
  };
  const get = (query: string) =>
    fetch(`${service.url}/s/${id}/screenshot${query}`, { headers: { authorization: adminToken } });
  const answer = await get('?width=320');
  t.equal(answer.headers.get('content-type'), 'image/png', 'whatever the agent says');
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  t.same(Buffer.from(await answer.arrayBuffer()), picture);
  await get('');
  t.same(asked, ['/screenshot?width=320', '/screenshot']);
  for (const width of ['0', '-1', '1e3', 'wide', '99999']) t.equal((await get(`?width=${width}`)).status, 400, width);
  t.match(await call('GET', '/screenshot?height=3'), {
    status: 400,
    body: { code: 'invalid_query', details: [{ path: '/height' }] },
  });

  agent.onRequest = (_request, response) =>
    void response.writeHead(400).end('{"code":"invalid_query","message":"Too wide."}');
  t.match(await call('GET', '/screenshot?width=4000'), { status: 400, body: { code: 'invalid_query' } });
  agent.onRequest = (_request, response) => void response.destroy();
  t.match(await call('GET', '/screenshot'), { status: 503, body: { code: 'agent_lost' } });
});

t.test('screenshot: viewers can take one with the ticket of their connection', async t => {
  const { call, join } = await start({ default_roles: [] });
  agent.onRequest = (_request, response) => void response.end('{}');
  const viewer = await join();
  const { ticket } = await viewer.heard('welcome');
  const take = (query: string) => call('GET', `/screenshot${query}`, undefined, null);
  t.equal((await take(`?ticket=${ticket}&width=64`)).status, 200);
  t.match(await take(`?ticket=${ticket}&width=0`), { status: 400, body: { code: 'invalid_query' } });
  t.match(await take('?ticket=nonsense'), { status: 401, body: { code: 'ticket_invalid' } });
  t.match(await take(''), { status: 401, body: { code: 'unauthorized' } });
  viewer.leave();
  await until('the ticket is worthless', async () => (await take(`?ticket=${ticket}`)).status === 401);
});

t.test('a client that disconnects cancels its request to the agent', async t => {
  const { id, adminToken } = await start();
  let closed: Promise<unknown> | undefined;
  agent.onRequest = (_request, response) => void (closed = once(response, 'close'));
  const gone = new AbortController();
  const answer = fetch(`${service.url}/s/${id}/screenshot`, {
    headers: { authorization: adminToken },
    signal: gone.signal,
  });
  const ended = await until('the request', () => closed && { closed });
  gone.abort();
  await t.rejects(answer);
  await ended.closed;
});

t.test('all of these need the admin token', async t => {
  const { call, embedToken } = await start();
  for (const [method, path] of [
    ['POST', '/timeout'],
    ['POST', '/ping'],
    ['POST', '/bookmarks'],
    ['GET', '/screenshot'],
  ] as const) {
    t.match(await call(method, path, undefined, null), { status: 401 });
    t.match(await call(method, path, undefined, embedToken), { status: 403 });
  }
});
