import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ProfileList, ProfileRecord } from '../../../src/protocol/generated/schemas.js';
import { type InProcess, serveInProcess } from '../../fixtures/services/in-process.js';

/** A tar archive ends with two empty blocks. */
const EMPTY_ARCHIVE = Buffer.alloc(1024);

/** A service whose sessions have something to save, and where it is stored. */
async function serve(t: Test) {
  const folder = t.testdir({});
  const service = await serveInProcess(t, { BERTH_PROFILE_DIR: folder });
  service.agent.onRequest = (request, response) => {
    request.resume();
    if (request.method === 'PUT') response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'application/x-tar' }).end(EMPTY_ARCHIVE);
  };
  return { ...service, folder };
}

/** Starts a session; gives its ID. */
async function start({ api }: Pick<InProcess, 'api'>, body: object, path = '/v0/vm'): Promise<string> {
  const answer = await api('POST', path, body);
  t.equal(answer.status, 201);
  return ((await answer.json()) as { session_id: string }).session_id;
}

/** A session that saves its profile, and has ended. */
async function saved(service: Pick<InProcess, 'api'>, body: object = {}, path?: string): Promise<string> {
  const id = await start(service, { profile: true, ...body }, path);
  t.equal((await service.api('DELETE', `/v0/vm/${id}`)).status, 200);
  return id;
}

async function list({ api }: Pick<InProcess, 'api'>, query = ''): Promise<ProfileList> {
  const answer = await api('GET', `/v0/profiles${query}`);
  t.equal(answer.status, 200, query);
  return (await answer.json()) as ProfileList;
}

const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code?: string }).code];

t.test('a profile is listed and read, with the sessions that use it', async t => {
  const service = await serve(t);
  const saving = await start(service, { profile: true, tenant_id: 'a' });
  t.same(await list(service), { results: [], next: null }, 'nothing is saved yet');
  await service.api('DELETE', `/v0/vm/${saving}`);
  const read = async () => (await (await service.api('GET', `/v0/profiles/${saving}`)).json()) as ProfileRecord;
  const first = await read();
  t.match(first, { id: saving, kind: 'chromium', tenant_id: 'a', session_ids: [] });
  t.ok(first.bytes > 0);
  t.equal(first.saved_date, first.creation_date);
  t.same(await list(service), { results: [first], next: null });

  const loading = await start(service, { profile: { load: saving } });
  const both = await start(service, { profile: saving, tenant_id: 'b' });
  t.same((await read()).session_ids, [loading, both]);
  t.ok((await read()).used_date > first.used_date);
  for (const id of [loading, both]) await service.api('DELETE', `/v0/vm/${id}`);
  const last = await read();
  t.match(last, { tenant_id: 'b', session_ids: [], creation_date: first.creation_date }, 'who saved it last');
  t.ok(last.saved_date > first.saved_date);
});

t.test('profiles are listed page by page, by kind and tenant', async t => {
  const service = await serve(t);
  const ids: string[] = [];
  for (let i = 0; i < 102; i++) ids.push(await saved(service, { tenant_id: i % 2 === 0 ? 'even' : 'odd' }));
  const game = await saved(service, { type: 'nes', room_url: 'http://games.example/a.nes' }, '/console');
  ids.push(game);
  const idsOf = ({ results }: ProfileList) => results.map(({ id }) => id);
  const first = await list(service);
  t.equal(first.next, ids[99]);
  t.same(idsOf(first), ids.slice(0, 100));
  t.same(idsOf(await list(service, `?after_id=${first.next}`)), ids.slice(100));
  const newest = await list(service, '?sort=newest');
  t.same(idsOf(newest), ids.toReversed().slice(0, 100));
  t.same(idsOf(await list(service, `?sort=newest&after_id=${newest.next}`)), ids.slice(0, 3).reverse());
  t.same(idsOf(await list(service, '?kind=console')), [game]);
  const even = await list(service, '?tenant_id=even');
  t.same([even.results.length, even.next], [51, null]);
  t.same(await list(service, '?tenant_id=even&kind=android'), { results: [], next: null });
  for (const query of ['after_id=none', 'kind=car', 'sort=best'])
    t.same(await codeOf(await service.api('GET', `/v0/profiles?${query}`)), [400, 'invalid_query'], query);
});

t.test('a profile is deleted, record and file, but not while a session uses it', async t => {
  const service = await serve(t);
  const remove = (id: string) => service.api('DELETE', `/v0/profiles/${id}`);
  const [id, another] = [await saved(service), await saved(service)];
  for (const profile of [id, { load: id }, { save: id }]) {
    const user = await start(service, { profile });
    t.same(await codeOf(await remove(id)), [409, 'profile_in_use'], JSON.stringify(profile));
    await service.api('DELETE', `/v0/vm/${user}`);
  }
  const answer = await remove(id);
  t.same([answer.status, await answer.json()], [200, { profile_id: id }]);
  t.same(await readdir(service.folder), [`${another}.profile`]);
  for (const method of ['GET', 'DELETE'])
    for (const unknown of [id, 'A'.repeat(22), 'x'])
      t.same(await codeOf(await service.api(method, `/v0/profiles/${unknown}`)), [404, 'no_profile'], unknown);
  t.same(await codeOf(await service.api('POST', '/v0/vm', { profile: id })), [422, 'profile_not_found']);
  t.match(await list(service), { results: [{ id: another }], next: null });
});

t.test('a profile whose store is away is deleted when that is back', async t => {
  const service = await serve(t);
  const id = await saved(service);
  const path = join(service.folder, `${id}.profile`);
  // A folder is no file that could be removed.
  await rm(path);
  await mkdir(path);
  await writeFile(join(path, 'in-the-way'), '');
  const remove = () => service.api('DELETE', `/v0/profiles/${id}`);
  t.same(await codeOf(await remove()), [503, 'profile_unavailable']);
  t.same(await codeOf(await service.api('GET', `/v0/profiles/${id}`)), [404, 'no_profile']);
  await rm(path, { recursive: true });
  t.equal((await remove()).status, 200);
  t.same(await codeOf(await remove()), [404, 'no_profile']);
});
