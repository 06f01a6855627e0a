import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openAudit } from '../../../src/server/audit/audit.js';
import { parseConfig } from '../../../src/server/config/config.js';
import { loadCredentials } from '../../../src/server/config/credentials.js';
import { Fleet } from '../../../src/server/engines/fleet.js';
import { createLogger } from '../../../src/server/lib/logger.js';
import { runService } from '../../../src/server/service.js';
import { freePort } from '../../fixtures/networks/free-port.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession, type FakedSession } from '../../fixtures/services/faked-session.js';
import { participantWebhook, say } from '../../fixtures/services/participant-webhook.js';
import { until } from '../../fixtures/until.js';

const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const path = join(folder, 'audit.log');
// One that others could read.
await writeFile(path, '', { mode: 0o644 });
const service = await serveInProcess(t, { BERTH_AUDIT_LOG: path });
const key = createHash('sha256').update(service.apiKey).digest('hex').slice(0, 8);
const apiKey = { type: 'api_key', key };
const files: Record<string, () => { status: number; body: string }> = {
  '/uploads/secret-name.txt': () => ({ status: 201, body: '{"id":"u1"}' }),
  '/downloads/abc': () => ({ status: 200, body: 'content' }),
  '/bookmarks': () => ({ status: 200, body: '{"appended":0}' }),
};
service.agent.onRequest = (request, response) => {
  request.resume().on('end', () => {
    const { status, body } = files[request.url ?? '']?.() ?? { status: 404, body: '{"code":"download_not_found"}' };
    response.writeHead(status).end(body);
  });
};
service.agent.onCall = method =>
  method === 'tabs.get' ? { error: { code: 'tab_error', message: 'No tab.' } } : { value: null };

interface Line {
  time: string;
  stream: string;
  event: string;
  session?: string;
  request?: string;
  ip?: string;
  [field: string]: unknown;
}

const lines = async (): Promise<Line[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line);

/** Waits for an event about a session that is like this. */
async function recorded(
  t: Test,
  session: FakedSession | null,
  event: string,
  like: { request?: string | null; [field: string]: unknown },
): Promise<Line> {
  const found = await until(event, async () =>
    (await lines()).findLast(
      line =>
        line.event === event &&
        (session === null || line.session === session.id) &&
        (like.request ?? line.request) === line.request,
    ),
  );
  t.match(found, { stream: 'audit', time: /^\d{4}-\d\d-\d\dT.*Z$/, ...like }, event);
  return found;
}

t.test("the file is readable by the service's user only", async t => t.equal((await stat(path)).mode & 0o777, 0o600));

t.test('starts and ends record who asked and the result', async t => {
  const session = await startFakedSession(t, { tag: 'the-tag' }, service);
  const begun = await recorded(t, session, 'session.start', {
    result: 'ok',
    actor: apiKey,
    ip: '127.0.0.1',
    kind: 'chromium',
    created: true,
  });
  t.match(begun.request, /^[0-9a-f-]{36}$/);
  await service.api('POST', '/v0/vm', { fps: 1 });
  await recorded(t, null, 'session.start', { result: 'failed', code: 'invalid_body', actor: apiKey });
  await service.api('GET', `/v0/vm/${session.id}`);
  await recorded(t, session, 'session.read', { result: 'ok', actor: apiKey });
  const ended = await service.api('DELETE', `/v0/vm/${session.id}`);
  const end = await recorded(t, session, 'session.end', { result: 'ok', actor: apiKey });
  t.equal(end.request, ended.headers.get('x-request-id'), 'found by the ID of its request');
  await recorded(t, session, 'session.ended', { actor: { type: 'service' }, reason: 'request' });
});

t.test('every way of writing an address is recorded', async t => {
  const session = await startFakedSession(t, {}, service);
  const encoded = `%${session.id.charCodeAt(0).toString(16)}${session.id.slice(1)}`;
  const ask = async (method: string, path: string) => (await service.api(method, path)).headers.get('x-request-id');
  const requests = [
    ['session.read', await ask('HEAD', `/v0/vm/${session.id}`)],
    ['session.read', await ask('GET', `/V0/VM/${encoded}/`)],
    ['users.list', await ask('GET', `/S/${session.id}/Users`)],
    ['session.end', await ask('DELETE', `/v0/Vm/${encoded}`)],
  ] as const;
  for (const [event, request] of requests) await recorded(t, session, event, { result: 'ok', actor: apiKey, request });
});

t.test("an end by a timeout is recorded as the service's", async t => {
  const session = await startFakedSession(t, { timeout: { absolute: 1 } }, service);
  await recorded(t, session, 'session.ended', { actor: { type: 'service' }, reason: 'absolute' });
});

t.test('calls to a session record the credential used', async t => {
  const session = await startFakedSession(
    t,
    { default_roles: ['control', 'file_upload', 'file_download', 'chrome_apis'] },
    service,
  );
  const viewer = await session.join();
  const { user_id, ticket } = await viewer.heard('welcome');
  const admin = { type: 'admin_token' };
  await recorded(t, session, 'user.join', {
    result: 'ok',
    actor: { type: 'user', user_id, admin: false, by: 'socket' },
    ip: '127.0.0.1',
  });
  await session.call('POST', '/addRoles', [[user_id], ['resize']]);
  await recorded(t, session, 'roles.add', {
    result: 'ok',
    actor: admin,
    users: [user_id],
    roles: ['resize'],
    exclusive: false,
  });
  await session.call('POST', '/removeRoles', [[], ['resize'], true], service.apiKey);
  await recorded(t, session, 'roles.remove', {
    result: 'ok',
    actor: apiKey,
    users: [],
    roles: ['resize'],
    exclusive: true,
  });
  await session.call('POST', '/setPermissions', [user_id, { priority: 2 }]);
  await recorded(t, session, 'permissions.change', {
    result: 'ok',
    actor: admin,
    users: [user_id],
    permissions: { priority: 2 },
  });
  await session.call('POST', '/timeout', { absolute: 5000 });
  await recorded(t, session, 'timeouts.change', { result: 'ok', actor: admin, timeouts: { absolute: 5000 } });
  await session.call('POST', '/tabs.create', [{ url: 'https://visited.example/' }]);
  await recorded(t, session, 'call', { result: 'ok', actor: admin, call: 'tabs.create' });
  await session.call('POST', '/tabs.get', [7]);
  await recorded(t, session, 'call', { result: 'failed', actor: admin, call: 'tabs.get', code: 'tab_error' });
  await session.call('POST', '/addRoles', [[user_id], ['resize']], session.embedToken);
  await recorded(t, session, 'roles.add', {
    result: 'refused',
    actor: { type: 'embed_token' },
    code: 'admin_required',
  });
  await session.call('POST', '/addRoles', [[user_id], ['resize']], 'a-wrong-credential');
  await recorded(t, session, 'roles.add', { result: 'refused', actor: { type: 'unknown' }, code: 'unauthorized' });
  await session.call('POST', '/addRoles', [[user_id], ['resize']], null);
  await recorded(t, session, 'roles.add', { result: 'refused', actor: { type: 'none' } });
  const byTicket = { type: 'user', user_id, admin: false, by: 'ticket' };
  await session.call('POST', `/uploads/secret-name.txt?ticket=${ticket}`, 'x', null);
  await recorded(t, session, 'file.upload', { result: 'ok', actor: byTicket });
  await fetch(`${service.url}/s/${session.id}/downloads/abc?ticket=${ticket}`).then(answer => answer.text());
  await recorded(t, session, 'file.download', { result: 'ok', actor: byTicket, file: 'abc' });
  await viewer.call('tabs.query', { url: 'https://visited.example/' });
  await recorded(t, session, 'call', {
    result: 'ok',
    actor: { type: 'user', user_id, by: 'socket' },
    call: 'tabs.query',
  });
  await viewer.call('setPermissions', user_id, { priority: 9 });
  await recorded(t, session, 'permissions.change', {
    result: 'refused',
    actor: { type: 'user', user_id },
    code: 'admin_required',
  });
  await viewer.call('https://visited.example/');
  t.notOk(
    (await recorded(t, session, 'call', { result: 'failed', code: 'unknown_method' }))['call'],
    'no text of a viewer gets in',
  );
  await session.call('DELETE', `/users/${user_id}`);
  await recorded(t, session, 'user.disconnect', { result: 'ok', actor: admin, user: user_id });
  await recorded(t, session, 'user.leave', { actor: { type: 'user', user_id } });
});

t.test("uses of a session's token are recorded, refused ones as well", async t => {
  const session = await startFakedSession(t, {}, service);
  await fetch(`${service.url}/s/${session.id}?token=${session.embedToken}`);
  await recorded(t, session, 'player.open', { actor: { type: 'embed_token' } });
  await fetch(`${service.url}/s/${session.id}?token=wrong`);
  await recorded(t, session, 'player.open', { result: 'refused', actor: { type: 'unknown' }, code: 'invalid_token' });
  await t.rejects(Promise.resolve().then(() => connectWrong(session)));
  await recorded(t, session, 'user.connect', {
    result: 'refused',
    actor: { type: 'unknown' },
    code: 'invalid_token',
    ip: '127.0.0.1',
  });
});

t.test('participants that a webhook denies are recorded', async t => {
  const webhook = await participantWebhook(t);
  webhook.answer = ({ response }) => say(response, { authorized: false });
  const session = await startFakedSession(t, { auth: { type: 'webhook', value: { url: webhook.url } } }, service);
  const viewer = await session.connect();
  viewer.tell({ type: 'join' });
  await recorded(t, session, 'user.join', { result: 'refused', code: 'webhook_denied', actor: { type: 'user' } });
});

t.test('it holds no secret, and nothing that a user looks at', async t => {
  const text = await readFile(path, 'utf8');
  t.match(text, '"event":"service.start"');
  t.ok(text.includes(key));
  for (const line of await lines()) t.same(line.stream, 'audit');
  const secrets = [service.apiKey, 'a-wrong-credential', 'visited.example', 'secret-name', 'token=', 'ticket='];
  for (const secret of secrets) t.notOk(text.includes(secret), secret);
  t.notMatch(text, /[A-Za-z0-9_-]{43}/, 'nothing as long as a token');
  t.notMatch(service.log(), '"stream":"audit"', 'the log is another stream');
});

t.test('a file that cannot be written is reported at startup', async t => {
  t.throws(() => openAudit({ to: 'file', path: join(folder, 'none/audit.log') }), /^BERTH_AUDIT_LOG must name a file/);
  t.doesNotThrow(() => openAudit({ to: 'off' }).record({ event: 'x', result: 'ok', actor: { type: 'service' } }));
});

t.test('its file is closed when the service stops, and when it fails to start', async t => {
  const file = join(folder, 'closed.log');
  const isOpen = async () => {
    const links = (await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    return (await Promise.all(links)).includes(file);
  };
  const start = async (port: number | string) => {
    const env = { BERTH_DATA_DIR: folder, BERTH_AUDIT_LOG: file, BERTH_PORT: String(port), BERTH_WARM_POOL: '0' };
    const config = parseConfig(env, folder);
    return runService(config, await loadCredentials(config), createLogger('silent'), { engines: new Fleet([]) });
  };
  const other = await start(await freePort());
  t.ok(await isOpen());
  await other.stop();
  t.notOk(await isOpen(), 'after the stop');
  t.match(await readFile(file, 'utf8'), '"event":"service.start"');
  await t.rejects(start(new URL(service.url).port), { code: 'EADDRINUSE' });
  t.notOk(await isOpen(), 'after a start that failed');
});

t.test('what is recorded after closing is lost, and does no harm', async t => {
  const file = join(folder, 'late.log');
  const audit = openAudit({ to: 'file', path: file });
  const event = { event: 'x', result: 'ok', actor: { type: 'service' } } as const;
  audit.record(event);
  await audit.close();
  await audit.close();
  t.doesNotThrow(() => audit.record(event));
  t.equal((await readFile(file, 'utf8')).trim().split('\n').length, 1);
});

/** Asks for the stream of a session with a token that is none. */
async function connectWrong(session: FakedSession): Promise<void> {
  const { default: WebSocket } = await import('ws');
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/s/${session.id}/stream?token=wrong`);
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
}
