import t from 'tap';
import type { SessionList, SessionRecord, Usage } from '../../../src/protocol/generated/schemas.js';
import { displayMessage } from '../../fixtures/agents/messages.js';
import { type InProcess, serveInProcess } from '../../fixtures/services/in-process.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

/** Starts a session and reads its record. */
async function start({ api }: InProcess, request: object = {}, path = '/v0/vm'): Promise<SessionRecord> {
  const started = (await (await api('POST', path, request)).json()) as SessionRecord;
  return readOf(api, started.session_id);
}

const readOf = async (api: InProcess['api'], id: string) =>
  (await (await api('GET', `/v0/vm/${id}`)).json()) as SessionRecord;

/** IDs in the answer to a list with this query. */
async function listed({ api }: InProcess, query: Record<string, string>): Promise<string[]> {
  const answer = await api('GET', `/v0/vm?${new URLSearchParams(query).toString()}`);
  t.equal(answer.status, 200, JSON.stringify(query));
  return ((await answer.json()) as SessionList).results.map(({ id }) => id);
}

t.test('a record says what a session is, and the list says the same', async t => {
  const service = await serveInProcess(t);
  const metadata = { plan: 'pro', 'user name': 'Zoë' };
  const request = { width: 800, height: 600, tag: 'one', tenant_id: 'customer', metadata, timeout: { absolute: 60 } };
  const record = await start(service, request);
  t.match(record, {
    ...{ kind: 'chromium', state: 'running', region: 'NA', tag: 'one', tenant_id: 'customer', metadata },
    ...{ viewers: 0, width: 800, height: 600, termination_date: null },
  });
  t.equal(Date.parse(record.expires_at ?? '') - Date.parse(record.creation_date), 60_000);
  t.ok((record.ready_date ?? '') >= record.creation_date);
  const { session_id: id, embed_url, admin_token, ...rest } = record;
  t.ok(embed_url.includes(id) && admin_token !== '');
  const { results } = (await (await service.api('GET', '/v0/vm')).json()) as SessionList;
  t.same(results, [{ id, ...rest }]);

  await service.api('DELETE', `/v0/vm/${id}`);
  t.match(await readOf(service.api, id), {
    ...{ state: 'ended', metadata, viewers: 0, expires_at: null, termination_reason: 'request' },
    ready_date: record.ready_date,
  });
});

t.test('a record follows viewers and the size of the display', async t => {
  const service = await serveInProcess(t);
  const { session_id: id, embed_url } = await start(service, { timeout: { offline: 60 } });
  const stream = embed_url.replace('http', 'ws').replace('?', '/stream?');
  const viewers = [await StreamClient.join(stream), await StreamClient.join(stream)];
  const record = () => readOf(service.api, id);
  t.match(await until('both count', async () => (await record()).viewers === 2 && record()), { expires_at: null });
  service.agent.send(displayMessage(640, 480));
  await until('it was resized', async () => {
    const { width, height } = await record();
    return width === 640 && height === 480;
  });
  for (const viewer of viewers) viewer.leave();
  await until('nobody is there', async () => (await record()).viewers === 0);
  t.match(await record(), { expires_at: /Z$/ }, 'the timeout counts again');
});

t.test('the list is filtered by each field, and by all that are given', async t => {
  const service = await serveInProcess(t, {
    BERTH_REGIONS: 'NA=unix:///var/run/docker.sock,EU=unix:///var/run/other.sock',
  });
  const one = await start(service, {
    ...{ tag: 'one', tenant_id: 'a', metadata: { plan: 'pro', 'a"b': 'x=y' } },
    ...{ width: 800, height: 600, timeout: { absolute: 3600, inactive: null, offline: null } },
  });
  const two = await start(service, {
    ...{ tenant_id: 'a', region: 'EU', metadata: { plan: 'free' } },
    timeout: { absolute: null, inactive: null, offline: null },
  });
  const game = await start(
    service,
    { type: 'nes', room_url: 'http://games.example/a.nes', tenant_id: 'b' },
    '/console',
  );
  const ids = [one, two, game].map(({ session_id }) => session_id);
  const [first = '', second = '', third = ''] = ids;
  const expect = async (query: Record<string, string>, expected: string[]) =>
    t.same(await listed(service, query), expected, JSON.stringify(query));

  await expect({}, ids);
  await expect({ sort: 'newest' }, [third, second, first]);
  await expect({ sort: 'newest', after_id: second }, [first]);
  await expect({ after_id: first, tenant_id: 'a' }, [second]);
  await expect({ kind: 'nes' }, [third]);
  await expect({ region: 'EU' }, [second]);
  await expect({ tag: 'one' }, [first]);
  await expect({ tenant_id: 'a' }, [first, second]);
  await expect({ tenant_id: 'a', kind: 'nes' }, []);
  await expect({ metadata: 'plan=pro' }, [first]);
  await expect({ metadata: 'a"b=x=y' }, [first]);
  await expect({ metadata: 'plan=' }, []);
  await expect({ state: 'starting' }, []);
  await expect({ created_from: two.creation_date, created_to: game.creation_date }, [second]);

  const { ready_date: ready, expires_at: expires } = await readOf(service.api, first);
  const next = (date: unknown) => new Date(Date.parse(String(date)) + 1).toISOString();
  await expect({ width: '800' }, [first]);
  await expect({ width: '800', height: '601' }, []);
  await expect({ ready_from: String(ready), ready_to: next(ready) }, [first]);
  await expect({ expires_from: String(expires), expires_to: next(expires) }, [first]);
  await expect({ expires_to: String(expires), tenant_id: 'a' }, []);
  await expect({ expires_from: next(expires), tenant_id: 'a' }, []);
  await expect({ viewers_max: '0' }, ids);
  await expect({ viewers_min: '1' }, []);
  const viewer = await StreamClient.join(one.embed_url.replace('http', 'ws').replace('?', '/stream?'));
  await until('it has a viewer', async () => (await listed(service, { viewers_min: '1' })).includes(first));
  await expect({ viewers_min: '1', viewers_max: '1' }, [first]);
  await expect({ viewers_max: '0' }, [second, third]);
  viewer.leave();

  await service.api('DELETE', `/v0/vm/${first}`);
  const { termination_date: end } = await readOf(service.api, first);
  const after = new Date(Date.parse(end ?? '') + 1).toISOString();
  await expect({}, [second, third]);
  await expect({ state: 'ended' }, [first]);
  await expect({ state: 'all', sort: 'newest' }, [third, second, first]);
  await expect({ termination_reason: 'request' }, [first]);
  await expect({ termination_reason: 'crashed' }, []);
  await expect({ ended_from: end ?? '', ended_to: after }, [first]);
  await expect({ ended_from: after }, []);
  await expect({ ended_to: end ?? '' }, []);
  await expect({ ended_from: '2020-01-01', metadata: 'plan=pro' }, [first]);
});

t.test('filters and metadata that are not valid are refused by name', async t => {
  const { api } = await serveInProcess(t);
  const refused = async (answer: Response) => {
    const { details } = (await answer.json()) as { details?: { path: string }[] };
    return [answer.status, details?.[0]?.path];
  };
  const queries = {
    sort: 'best',
    state: 'old',
    kind: 'car',
    metadata: 'plan',
    ended_from: 'now',
    tag: 'x'.repeat(256),
    viewers_min: '-1',
    width: '1e3',
    expires_to: 'soon',
  };
  for (const [name, value] of Object.entries(queries))
    t.same(await refused(await api('GET', `/v0/vm?${name}=${value}`)), [400, `/${name}`], name);
  const bodies: [unknown, string][] = [
    [{ plan: 1 }, '/metadata/plan'],
    [{ a: 'x'.repeat(4000), b: 'x'.repeat(100) }, '/metadata'],
    [{ 'a=b': 'c' }, '/metadata'],
    [{ lone: '\ud800' }, '/metadata/lone'],
    [Object.fromEntries(Array.from({ length: 65 }, (_, index) => [index, ''])), '/metadata'],
  ];
  for (const [metadata, path] of bodies)
    t.same(await refused(await api('POST', '/v0/vm', { metadata })), [400, path], path);
  t.equal((await api('POST', '/v0/vm', { metadata: { a: 'x'.repeat(4088) } })).status, 201, '4096 bytes');
});

t.test('usage is told apart by tenant, kind and day in one call', async t => {
  const service = await serveInProcess(t);
  const game = { type: 'nes', room_url: 'http://games.example/a.nes', tenant_id: 'b' };
  const ids = [await start(service, { tenant_id: 'a' }), await start(service), await start(service, game, '/console')];
  for (const { session_id: id } of ids) await service.api('DELETE', `/v0/vm/${id}`);
  const usage = async (query: string) =>
    ((await (await service.api('GET', `/v0/vm/usage?${query}`)).json()) as Usage).usage;
  const date = /T00:00:00.000Z$/;
  const seconds = Number;
  const groups = await usage('group_by=tenant_id,kind&period=month');
  t.match(groups, [
    { date, tenant_id: null, kind: 'chromium', seconds },
    { date, tenant_id: 'a', kind: 'chromium', seconds },
    { date, tenant_id: 'b', kind: 'nes', seconds },
  ]);
  t.same((await usage('group_by=kind&kind=nes&period=month')).length, 1);
  t.same((await usage('group_by=kind&tenant_id=a&kind=nes')).length, 0);
  const [all] = await usage('period=month');
  t.same(Object.keys(all ?? {}), ['date', 'seconds'], 'as ever');
  const sum = groups.reduce((total, each) => total + each.seconds, 0);
  t.ok(Math.abs((all?.seconds ?? 0) - sum) < 1e-6);
  for (const query of ['group_by=region', 'kind=car'])
    t.equal((await service.api('GET', `/v0/vm/usage?${query}`)).status, 400, query);
});
