// tags: containers
import t from 'tap';
import { metric, startService } from '../../fixtures/services/service.js';
import { containersOf } from '../../fixtures/engines/docker.js';

t.test('a session is started, read, listed and ended', async t => {
  const service = await startService(t, { BERTH_PUBLIC_URL: 'https://berth.example.com' });

  const started = await service.api('POST', '/v0/vm', { start_url: 'about:blank', tenant_id: 'tenant' });
  t.equal(started.status, 201);
  const { session_id: id, embed_url: embedUrl, admin_token: adminToken } = started.body;
  t.match(id, /^[A-Za-z0-9_-]{22}$/);
  t.match(embedUrl, new RegExp(`^https://berth\\.example\\.com/s/${id}\\?token=[A-Za-z0-9_-]{43}$`));
  t.match(adminToken, /^[A-Za-z0-9_-]{43}$/);
  t.equal((await containersOf(service)).length, 1);

  const read = await service.api('GET', `/v0/vm/${id}`);
  t.equal(read.status, 200);
  t.match(read.body, { ...started.body, termination_date: null });
  t.ok(Math.abs(Date.parse(read.body.creation_date) - Date.now()) < 30_000);

  const list = await service.api('GET', '/v0/vm');
  const { session_id: _, embed_url: __, admin_token: ___, ...listed } = read.body;
  t.same(list.body, { results: [{ id, ...listed }], next: null });

  const metrics = await (await fetch(`${service.url}/metrics`, { headers: { authorization: service.apiKey } })).text();
  t.equal(metric(metrics, 'berth_sessions{kind="chromium",state="running"}'), 1);
  t.equal(metric(metrics, 'berth_session_start_seconds_count{kind="chromium"}'), 1);

  const token = new URL(embedUrl).searchParams.get('token') ?? '';
  const page = (query: string) =>
    service.api('GET', `/s/${id}${query}`, undefined, { accept: 'text/html', authorization: '' });
  t.equal((await page(`?token=${token}`)).status, 200);
  t.equal((await page('')).status, 401);
  t.equal((await page(`?token=${token.slice(1)}A`)).status, 401);
  t.match((await service.api('GET', `/s/${id}/status?token=${token}`)).body.state, /^(starting|running)$/);

  for (const attempt of ['first', 'repeated']) {
    const ended = await service.api('DELETE', `/v0/vm/${id}`);
    t.same([ended.status, ended.body], [200, { session_id: id }], attempt);
  }
  t.same(await containersOf(service), []);
  t.same((await service.api('GET', '/v0/vm')).body, { results: [], next: null });
  const over = await service.api('GET', `/v0/vm/${id}`);
  t.match(over.body, { termination_reason: 'request' });
  const seconds = (Date.parse(over.body.termination_date) - Date.parse(over.body.creation_date)) / 1000;

  const status = await service.api('GET', `/s/${id}/status?token=${token}`);
  t.same([status.status, status.body.code], [409, 'session_ended']);
  t.equal((await page(`?token=${token}`)).status, 409);

  const usage = await service.api('GET', '/v0/vm/usage?tenant_id=tenant');
  const used = usage.body.usage.reduce((sum: number, entry: { seconds: number }) => sum + entry.seconds, 0);
  t.ok(used > 0 && used <= seconds, `${used} s of ${seconds}`);
  t.same((await service.api('GET', '/v0/vm/usage?tenant_id=nobody')).body, { usage: [] });

  const log = service.log();
  for (const [name, secret] of Object.entries({ token, adminToken, apiKey: service.apiKey })) {
    t.notOk(log.includes(secret), `the log does not hold the ${name}`);
  }
  t.ok(log.includes(`"session":"${id}"`), 'the log names the session');
});

t.test('thirty simultaneous starts with one tag create one session', async t => {
  const service = await startService(t);
  const answers = await Promise.all(Array.from({ length: 30 }, () => service.api('POST', '/v0/vm', { tag: 'same' })));
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  t.equal(answers.filter(({ status }) => status === 200).length, 29);
  t.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  t.equal((await containersOf(service)).length, 1);
  const other = await service.api('POST', '/v0/vm', { tag: 'other' });
  t.equal(other.status, 201);
  await service.api('DELETE', `/v0/vm/${answers[0]?.body.session_id}`);
  t.equal(
    (await service.api('POST', '/v0/vm', { tag: 'same' })).status,
    201,
    'a tag is free when its session has ended',
  );
});

t.test('no more sessions run than there are places', async t => {
  const service = await startService(t, { BERTH_MAX_SESSIONS: '2' });
  const answers = await Promise.all(Array.from({ length: 5 }, () => service.api('POST', '/v0/vm')));
  t.same(answers.map(({ status }) => status).sort(), [201, 201, 429, 429, 429]);
  const full = answers.find(({ status }) => status === 429);
  t.equal(full?.body.code, 'capacity');
  t.ok(Number(full?.headers.get('retry-after')) > 0);
  t.equal((await containersOf(service)).length, 2);
});
