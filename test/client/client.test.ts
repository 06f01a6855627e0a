import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import {
  BerthClient,
  BerthError,
  type ErrorCode,
  type ParticipantCheckAnswer,
  type ParticipantCheckRequest,
  type TimeoutEvent,
} from '../../src/client/index.js';
import { EngineError } from '../../src/server/engines/engine.js';
import { serveInProcess } from '../fixtures/services/in-process.js';

/** A server that answers with statuses in turn, with the last one from then on. */
async function answering(t: Test, ...answers: [status: number, headers?: Record<string, string>, body?: string][]) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const [status, headers = {}, body = '{}'] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500];
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, client: new BerthClient({ url, apiKey: 'key', maxWait: 1500 }), url };
}

t.test('sessions are started, listed page by page, read, counted and ended', async t => {
  const { url, apiKey } = await serveInProcess(t, { BERTH_MAX_SESSIONS: '200' });
  const berth = new BerthClient({ url: `${url}/`, apiKey });
  const first = await berth.start({ width: 800, height: 600, tenant_id: 'a' });
  t.match(first, { embed_url: `${url}/s/${first.session_id}?token=`, admin_token: /^.{43}$/ });
  for (let i = 0; i < 104; i++) await berth.start();
  const ids: string[] = [];
  for await (const { id } of berth.list()) ids.push(id);
  t.equal(new Set(ids).size, 105);
  t.equal(ids[0], first.session_id);
  t.match(await berth.read(first.session_id), { ...first, termination_date: null });
  await berth.end(first.session_id);
  await berth.end(first.session_id);
  t.match(await berth.read(first.session_id), { termination_date: /Z$/, termination_reason: 'request' });
  const ended = [];
  for await (const session of berth.list({ tenant_id: 'a', state: 'ended' })) ended.push(session);
  t.match(ended, [{ id: first.session_id, width: 800, height: 600, tenant_id: 'a', termination_reason: 'request' }]);
  t.match(await berth.usage({ tenant_id: 'a', period: 'month' }), [{ date: /-01T00:00:00.000Z$/, seconds: Number }]);
});

t.test('an extension is uploaded with a start, and checked first', async t => {
  const { url, apiKey, engine } = await serveInProcess(t);
  const berth = new BerthClient({ url, apiKey });
  await t.rejects(berth.start({ width: 800, height: 600 }, Buffer.from('no archive')), {
    status: 422,
    code: 'extension_invalid',
  });
  t.equal(engine.running.size, 0);
});

t.test('a start with a tag returns the running session', async t => {
  const { url, apiKey } = await serveInProcess(t);
  const berth = new BerthClient({ url, apiKey });
  t.same(await berth.start({ tag: 'one' }), await berth.start({ tag: 'one' }));
});

t.test('errors say what is wrong, field by field', async t => {
  const { url, apiKey, engine } = await serveInProcess(t);
  const berth = new BerthClient({ url, apiKey });
  const failure = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(error instanceof BerthError)) throw new Error(`not a BerthError: ${String(error)}`);
    return error;
  };
  const invalid = await failure(berth.start({ fps: 99 }));
  t.match(invalid, { status: 400, code: 'invalid_body', details: [{ path: '/fps', message: 'must be <= 60' }] });
  t.match(invalid.message, /\/fps must be <= 60/);
  t.match(await failure(berth.read('AAAAAAAAAAAAAAAAAAAAAA')), { status: 404, code: 'session_not_found' });
  t.match(await failure(berth.start({ region: 'AS' })), { status: 422, code: 'region_unavailable' });
  t.match(await failure(new BerthClient({ url, apiKey: 'wrong' }).read('x')), { status: 401, code: 'unauthorized' });
  engine.refusal = () => new EngineError('refused', 'no such image');
  t.match(await failure(berth.start()), { status: 502, code: 'start_failed' });
});

t.test('invalid settings are refused', async t => {
  t.throws(() => new BerthClient({ url: 'ftp://x', apiKey: 'key' }), TypeError);
  t.throws(() => new BerthClient({ url: 'nowhere', apiKey: 'key' }), TypeError);
  t.throws(() => new BerthClient({ url: 'http://x', apiKey: '' }), TypeError);
});

t.test('a temporary refusal is retried after the time that the service names', async t => {
  const { client, requests } = await answering(t, [429, { 'retry-after': '1' }], [201, {}, '{"session_id":"x"}']);
  const begun = performance.now();
  t.match(await client.start(), { session_id: 'x' });
  t.ok(performance.now() - begun >= 990);
  t.same(requests, ['POST /v0/vm', 'POST /v0/vm']);
});

t.test('a wait that would be too long is an error at once', async t => {
  const { client, requests } = await answering(t, [
    429,
    { 'retry-after': '60' },
    '{"code":"rate_limited","message":"Wait."}',
  ]);
  await t.rejects(client.start(), { status: 429, code: 'rate_limited', retryAfter: 60 });
  t.equal(requests.length, 1);
});

t.test('a start is repeated with one key, so that it makes one session', async t => {
  const service = await serveInProcess(t);
  const keys: (string | null)[] = [];
  // The answer to the first one is lost.
  const fetchOnce = async (request: Request) => {
    keys.push(request.headers.get('idempotency-key'));
    const answer = await fetch(request);
    if (keys.length === 1) throw new Error('the connection was cut');
    return answer;
  };
  const berth = new BerthClient({ url: service.url, apiKey: service.apiKey, fetch: fetchOnce });
  const first = await berth.start({ width: 800, height: 600 });
  t.equal(service.engine.running.size, 1);
  t.same(keys, [keys[0], keys[0]]);
  t.match(keys[0], /^[0-9a-f-]{36}$/);
  t.not((await berth.startAndroid()).session_id, first.session_id);
  t.not(keys[2], keys[0], 'another start has another key');
  const ordered = await berth.start({ tenant_id: 'a', idempotencyKey: 'order-17' });
  t.equal(keys[3], 'order-17');
  t.same(await berth.start({ idempotencyKey: 'order-17', tenant_id: 'a' }), ordered);
  await t.rejects(berth.start({ idempotencyKey: 'order-17', tenant_id: 'a', dark: true }), {
    code: 'idempotency_key_reused',
  });
});

t.test('profiles are listed, read and deleted', async t => {
  const { url, apiKey, agent } = await serveInProcess(t);
  agent.onRequest = (request, response) => {
    request.resume();
    response.writeHead(request.method === 'PUT' ? 204 : 200).end(Buffer.alloc(request.method === 'PUT' ? 0 : 1024));
  };
  const berth = new BerthClient({ url, apiKey });
  const { session_id: id } = await berth.start({ profile: true, tenant_id: 'a' });
  await berth.end(id);
  const listed = [];
  for await (const profile of berth.listProfiles({ tenant_id: 'a' })) listed.push(profile);
  t.same(listed, [await berth.readProfile(id)]);
  t.match(listed, [{ id, kind: 'chromium', tenant_id: 'a' }]);
  const using = await berth.start({ profile: id });
  await t.rejects(berth.deleteProfile(id), { status: 409, code: 'profile_in_use' });
  await berth.end(using.session_id);
  await berth.deleteProfile(id);
  await t.rejects(berth.readProfile(id), { status: 404, code: 'no_profile' });
});

t.test("a tenant's data are deleted, its usage if asked for", async t => {
  const { url, apiKey } = await serveInProcess(t);
  const berth = new BerthClient({ url, apiKey });
  const { session_id: id } = await berth.start({ tenant_id: 'customer/17 ü' });
  const gone = await berth.deleteTenant('customer/17 ü');
  t.match(gone, { tenant_id: 'customer/17 ü', sessions_ended: 1, session_records: 1, usage_days: 0 });
  await t.rejects(berth.read(id), { status: 404, code: 'session_not_found' });
  t.match(await berth.usage({ tenant_id: 'customer/17 ü' }), [{ seconds: Number }]);
  t.match(await berth.deleteTenant('customer/17 ü', { usage: true }), { sessions_ended: 0, usage_days: 1 });
  t.same(await berth.usage({ tenant_id: 'customer/17 ü' }), []);
});

t.test('what may have been carried out is retried if that is safe', async t => {
  const starting = await answering(t, [503]);
  await t.rejects(starting.client.start(), { status: 503, code: 'unexpected_answer' });
  t.equal(starting.requests.length, 3);
  const calling = await answering(t, [503]);
  const session = calling.client.session(`${calling.url}/s/${'A'.repeat(22)}`, 'token');
  await t.rejects(session.changeTimeouts({ inactive: 60 }), { status: 503, code: 'unexpected_answer' });
  t.equal(calling.requests.length, 1);
  const reading = await answering(t, [503], [502], [200, {}, '{"results":[],"next":null}']);
  for await (const _ of reading.client.list()) t.fail('there is none');
  t.equal(reading.requests.length, 3);
  const failing = await answering(t, [504, {}, '<html>proxy</html>']);
  await t.rejects(failing.client.read('x'), { status: 504, code: 'unexpected_answer' });
  t.equal(failing.requests.length, 3);
});

/** A server that answers after so long, or never; what it was asked. */
async function slow(t: Test, ms: number | null) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (ms !== null) setTimeout(() => response.setHeader('content-type', 'application/json').end('{}'), ms);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

t.test('a service that does not answer is given up on, and not asked once more', async t => {
  const { url, requests } = await slow(t, null);
  const berth = new BerthClient({ url, apiKey: 'key', timeout: 1000, endTimeout: 1200 });
  await t.rejects(berth.read('x'), { message: /within 1000 ms/ });
  await t.rejects(berth.end('x'), { message: /within 1200 ms/ });
  t.same(requests, ['GET /v0/vm/x', 'DELETE /v0/vm/x']);
});

t.test('the end of a session is waited for as long as its profile takes', async t => {
  const { url, requests } = await slow(t, 500);
  await new BerthClient({ url, apiKey: 'key', timeout: 100 }).end('x');
  t.same(requests, ['DELETE /v0/vm/x']);
});

t.test('lenient: unknown fields are ignored, of starts and of calls', async t => {
  const { url, apiKey } = await serveInProcess(t);
  const more = { colour: 'red' } as object;
  await t.rejects(new BerthClient({ url, apiKey }).start(more), { code: 'invalid_body' });
  const berth = new BerthClient({ url, apiKey, lenient: true });
  const { embed_url, admin_token } = await berth.start(more);
  t.match(await berth.session(embed_url, admin_token).changeTimeouts({ inactive: 60, ...more }), { inactive: 60 });
});

t.test('codes and bodies of webhooks have types', async t => {
  const code: ErrorCode = 'profile_not_found';
  const error = new BerthError(422, { code, message: 'There is none.' });
  t.equal(error.code === 'profile_not_found' && error.status, 422);
  t.equal(new BerthError(400, { code: 'of_a_later_version', message: '' }).code, 'of_a_later_version');
  const event: TimeoutEvent = { session_id: 'x', type: 'offline', event: 'warning', seconds_left: 60 };
  const check = ({ user_id, userdata }: ParticipantCheckRequest): ParticipantCheckAnswer =>
    userdata['key'] === user_id ? { authorized: true, roles: ['control'] } : { authorized: false };
  t.same(check({ user_id: 'a', userdata: { key: 'b' } }), { authorized: false });
  t.equal(event.event, 'warning');
});
