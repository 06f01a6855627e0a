// tags: containers, slow
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { serveGames } from '../../fixtures/consoles/game-server.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containerOf, containersOf, docker } from '../../fixtures/engines/docker.js';
import { metric, startService, type Service } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

/** Unset, as an operator leaves it: one container waits. */
const WARM = { BERTH_WARM_POOL: '' };

const start = async (service: Service, body: object = {}) => {
  const { status, body: answer } = await service.api('POST', '/v0/vm', body);
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(answer)}`);
  return answer as { session_id: string };
};
const startedAt = async (container: string) =>
  Date.parse(await docker('inspect', container, '--format', '{{.State.StartedAt}}'));
/** Waits until a number of containers run, and gives their names. */
const containers = (service: Service, count: number) =>
  until(`${count} containers`, async () => {
    const names = await containersOf(service);
    const states = await Promise.all(
      names.map(name => docker('inspect', name, '--format', '{{.State.Status}}').catch(() => '')),
    );
    return names.length === count && states.every(state => state === 'running') && names;
  });

t.test('a start takes the waiting container, and another replaces it', async t => {
  const service = await startService(t, WARM);
  const [spare] = await containers(service, 1);
  t.same((await service.api('GET', '/v0/vm')).body.results, [], 'it is no session');
  t.equal(metric((await service.api('GET', '/metrics')).body, 'berth_warm_containers'), 1);
  const asked = Date.now();
  const { session_id: id } = await start(service);
  t.equal(containerOf(service, id), spare);
  t.ok((await startedAt(containerOf(service, id))) < asked, 'its container ran already');
  const both = await containers(service, 2);
  t.ok(both.includes(containerOf(service, id)));
  const headers = { authorization: `Bearer ${service.apiKey}` };
  await until(
    'it shows a display',
    async () => (await fetch(`${service.url}/s/${id}/screenshot`, { headers })).status === 200,
  );

  const ids = await Promise.all([start(service), start(service), start(service)]);
  const taken = ids.map(each => containerOf(service, each.session_id));
  t.equal(new Set(taken).size, 3, 'simultaneous starts take different ones');
  t.ok(taken.some(name => both.includes(name)));
  await containers(service, 5);

  await Promise.all([id, ...ids.map(each => each.session_id)].map(each => service.api('DELETE', `/v0/vm/${each}`)));
  const [left] = await containers(service, 1);
  t.ok(left);
  await service.stop();
  // Ordered by the service, carried out by the engine: nobody else is left to do it.
  await until('a service that stops leaves none that wait', async () => (await containersOf(service)).length === 0);
});

t.test('those of a killed service are replaced, its sessions continue', async t => {
  const service = await startService(t, WARM);
  await containers(service, 1);
  const { session_id: id } = await start(service);
  const before = await containers(service, 2);
  await service.kill9();
  t.same((await containersOf(service)).sort(), before.sort());
  await service.restart();
  const replaced = await until('the old one is replaced', async () => {
    const now = await containersOf(service);
    return now.length === 2 && now.filter(name => before.includes(name)).length === 1 && now;
  });
  t.ok(replaced.includes(containerOf(service, id)));
  await service.teardown();
  t.same(await containersOf(service), [], 'a teardown removes all');
});

t.test('they count as places: there are never more containers than allowed sessions', async t => {
  const service = await startService(t, { BERTH_WARM_POOL: '3', BERTH_MAX_SESSIONS: '2' });
  await containers(service, 2);
  const answers = await Promise.all(Array.from({ length: 4 }, () => service.api('POST', '/v0/vm')));
  t.same(answers.map(({ status }) => status).sort(), [201, 201, 429, 429]);
  t.equal((await containersOf(service)).length, 2);
});

t.test('one that dies is not handed out', async t => {
  const service = await startService(t, WARM);
  const [spare = ''] = await containers(service, 1);
  await docker('kill', spare);
  await containers(service, 0);
  const { session_id: id } = await start(service, { start_url: 'about:blank' });
  t.not(containerOf(service, id), spare);
  await containers(service, 2);
});

t.test('a start that finds its tag taken leaves the container for the next', async t => {
  const service = await startService(t, WARM);
  await containers(service, 1);
  await start(service, { tag: 'same' });
  const both = await containers(service, 2);
  t.equal((await service.api('POST', '/v0/vm', { tag: 'same' })).status, 200);
  const { session_id: id } = await start(service, { tag: 'other' });
  t.ok(both.includes(containerOf(service, id)));
});

t.test('a console waits for the next one, where one was started lately', async t => {
  const folder = await testCards(t);
  const { origin } = await serveGames(t, { 'card.nes': await readFile(join(folder, 'card.nes')) });
  const service = await startService(t, { ...WARM, BERTH_ROM_ALLOW_PRIVATE: 'true' });
  const consoles = async () => {
    const images = await Promise.all(
      (await containersOf(service)).map(name => docker('inspect', name, '--format', '{{.Name}} {{.Config.Image}}')),
    );
    return images.filter(line => line.includes('/console:')).map(line => line.slice(1).split(' ')[0]);
  };
  await containers(service, 1);
  t.same(await consoles(), [], 'only a browser waits at first');
  const play = () => ConsoleSession.start(service, { type: 'nes', room_url: `${origin}/card.nes` });
  const first = containerOf(service, (await play()).id);
  await containers(service, 3);
  const spare = (await consoles()).find(name => name !== first);
  const asked = Date.now();
  const { id } = await play();
  t.equal(containerOf(service, id), spare);
  t.ok((await startedAt(containerOf(service, id))) < asked, 'its container ran already');
  await containers(service, 4);
});
