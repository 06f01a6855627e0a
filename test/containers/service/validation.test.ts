// tags: containers
import t from 'tap';
import { startService } from '../../fixtures/services/service.js';
import { containersOf } from '../../fixtures/engines/docker.js';

const service = await startService(t);
const start = (body: unknown, headers?: Record<string, string>) => service.api('POST', '/v0/vm', body, headers);
const long = (length: number) => 'x'.repeat(length);

/** A value that is refused, and the field that the answer names. */
const INVALID: [body: unknown, field: string][] = [
  [{ start_url: 'file:///etc/passwd' }, '/start_url'],
  [{ start_url: 'javascript:alert(1)' }, '/start_url'],
  [{ start_url: 'example' }, '/start_url'],
  [{ start_url: `https://example.com/${long(8192)}` }, '/start_url'],
  [{ start_url: 1 }, '/start_url'],
  [{ kiosk: 'yes' }, '/kiosk'],
  [{ webgl: 1 }, '/webgl'],
  [{ dark: 'true' }, '/dark'],
  [{ hide_cursor: 0 }, '/hide_cursor'],
  [{ control_disable_default: 'x' }, '/control_disable_default'],
  [{ width: 1280 }, '/height'],
  [{ height: 720 }, '/width'],
  [{ width: 159, height: 720 }, '/width'],
  [{ width: 1280, height: 159 }, '/height'],
  [{ width: 1280.5, height: 720 }, '/width'],
  [{ width: 1921, height: 1080 }, '/width'],
  [{ width: 1921, height: 1080 }, '/height'],
  [{ fps: 23 }, '/fps'],
  [{ fps: 61 }, '/fps'],
  [{ fps: 30.5 }, '/fps'],
  [{ fps: '30' }, '/fps'],
  [{ max_area: 1 }, '/max_area'],
  [{ max_area: 2_073_601 }, '/max_area'],
  [{ max_area: 100_000 }, '/max_area'],
  [{ quality: 'sharp' }, '/quality'],
  [{ quality: { mode: 'best' } }, '/quality/mode'],
  [{ quality: { level: 1 } }, '/quality/level'],
  [{ locale: { language: 'en;q=2' } }, '/locale/language'],
  [{ locale: { language: 'en US' } }, '/locale/language'],
  [{ locale: { country: 'us' } }, '/locale/country'],
  [{ timezone: 'Europe/Atlantis' }, '/timezone'],
  [{ timezone: '+02:00' }, '/timezone'],
  [{ user_agent: 'firefox' }, '/user_agent'],
  [{ tenant_id: '' }, '/tenant_id'],
  [{ tenant_id: long(256) }, '/tenant_id'],
  [{ tag: '' }, '/tag'],
  [{ tag: long(256) }, '/tag'],
  [{ region: 'EUR' }, '/region'],
  [{ timeout: { absolute: 0 } }, '/timeout/absolute'],
  [{ timeout: { inactive: -1 } }, '/timeout/inactive'],
  [{ timeout: { offline: '60' } }, '/timeout/offline'],
  [{ timeout: { warning: 0 } }, '/timeout/warning'],
  [{ timeout: { webhook: {} } }, '/timeout/webhook/url'],
  [{ timeout: { webhook: { url: 'ftp://x' } } }, '/timeout/webhook/url'],
  [{ timeout: { webhook: { url: 'http://x', bearer: 'a\nb' } } }, '/timeout/webhook/bearer'],
  [{ timeout: { never: true } }, '/timeout/never'],
  [{ auth: { type: 'none' } }, '/auth/type'],
  [{ auth: { type: 'webhook' } }, '/auth/value'],
  [{ auth: { type: 'webhook', value: {} } }, '/auth/value/url'],
  [{ auth: { type: 'webhook', value: { url: 'localhost' } } }, '/auth/value/url'],
  [{ auth: { type: 'webhook', value: { url: 'http://user:word@x' } } }, '/auth/value/url'],
  [{ auth: { type: 'webhook', value: { url: 'http://x', bearer: 'a\nb' } } }, '/auth/value/bearer'],
  [{ auth: { value: { url: 'http://x' } } }, '/auth/type'],
  [{ default_roles: ['king'] }, '/default_roles/0'],
  [{ default_roles: 'control' }, '/default_roles'],
  [{ touch_gestures: { swipe: 1 } }, '/touch_gestures/swipe'],
  [{ profile: 'no-session' }, '/profile'],
  [{ extension: {} }, '/extension/field'],
  [{ search_engine: 'bing' }, '/search_engine'],
  [{ default_roles: ['king'] }, '/default_roles/0'],
  [{ colour: 'red' }, '/colour'],
  [[], ''],
  ['"text"', ''],
];

t.test('invalid fields are refused and named', async t => {
  for (const [body, field] of INVALID) {
    const answer = await start(body);
    const what = JSON.stringify(body).slice(0, 80);
    t.equal(answer.status, 400, what);
    t.equal(answer.body.code, 'invalid_body', what);
    t.ok(
      answer.body.details.some(({ path }: { path: string }) => path === field),
      `${what} names ${field || 'the body'}`,
    );
  }
});

t.test('a region without a host is refused', async t => {
  const answer = await start({ region: 'EU' });
  t.same([answer.status, answer.body.code], [422, 'region_unavailable']);
});

t.test('unreadable bodies are refused', async t => {
  const refused = async (body: string, headers: Record<string, string>) => {
    const answer = await start(body, headers);
    return [answer.status, answer.body.code];
  };
  t.same(await refused('{', {}), [400, 'invalid_json']);
  t.same(await refused('{', { 'content-type': 'text/plain' }), [400, 'invalid_json']);
  t.same(await refused('{}', { 'content-type': 'application/octet-stream' }), [415, 'unsupported_media_type']);
  t.same(await refused(JSON.stringify({ tag: long(300_000) }), {}), [413, 'body_too_large']);
  t.same(await refused('null', {}), [400, 'invalid_body']);
});

t.test('unknown fields are ignored if the client asks for it, other errors are not', async t => {
  const lenient = { prefer: 'respond-async, handling=lenient' };
  const bad = await start({ colour: 'red', fps: 1 }, lenient);
  t.same(
    bad.body.details.map(({ path }: { path: string }) => path),
    ['/fps'],
  );
  const good = await start({ colour: 'red', timeout: { never: 1 } }, lenient);
  t.equal(good.status, 201);
  await service.api('DELETE', `/v0/vm/${good.body.session_id}`);
});

t.test('query parameters are validated too', async t => {
  const refused = async (query: string) => {
    const { status, body } = await service.api('GET', `/v0/vm${query}`);
    return [status, body.code, body.details?.[0]?.path];
  };
  t.same(await refused('?after_id=unknown'), [400, 'invalid_query', '/after_id']);
  t.same(await refused('?page=2'), [400, 'invalid_query', '/page']);
  t.same(await refused('/usage?period=year'), [400, 'invalid_query', '/period']);
  t.same(await refused('/usage?from=yesterday'), [400, 'invalid_query', '/from']);
});

t.test('an API key is needed, as a bearer or bare', async t => {
  for (const [method, path] of [
    ['POST', '/v0/vm'],
    ['GET', '/v0/vm'],
    ['GET', '/v0/vm/usage'],
    ['GET', '/v0/vm/x'],
    ['DELETE', '/v0/vm/x'],
    ['GET', '/metrics'],
  ] as const) {
    for (const authorization of ['', 'Bearer wrong', `Basic ${service.apiKey}`, `Bearer ${service.apiKey}x`]) {
      const answer = await service.api(method, path, undefined, { authorization });
      t.same(
        [answer.status, answer.body.code],
        [401, 'unauthorized'],
        `${method} ${path} ${authorization.slice(0, 14)}`,
      );
    }
  }
  t.equal((await service.api('GET', '/v0/vm', undefined, { authorization: service.apiKey })).status, 200);
  t.equal((await service.api('GET', '/v0/vm', undefined, { authorization: `bearer ${service.apiKey}` })).status, 200);
});

t.test('unknown addresses and sessions are not found', async t => {
  for (const path of ['/v0/vm/AAAAAAAAAAAAAAAAAAAAAA', '/v0/vm/x']) {
    const answer = await service.api('GET', path);
    t.same([answer.status, answer.body.code], [404, 'session_not_found'], path);
  }
  for (const path of ['/s/AAAAAAAAAAAAAAAAAAAAAA?token=x', '/s/x/status?token=x']) {
    const answer = await service.api('GET', path);
    t.same([answer.status, answer.body.code], [401, 'invalid_token'], `${path}: only the token counts`);
  }
  t.same((await service.api('GET', '/v0/nothing')).body.code, 'not_found');
  t.same((await service.api('DELETE', '/v0/vm/AAAAAAAAAAAAAAAAAAAAAA')).status, 404);
});

t.test('a refused request starts nothing', async t => {
  t.same(await containersOf(service), []);
});
