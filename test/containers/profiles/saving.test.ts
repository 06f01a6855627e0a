// tags: containers, waiting, slow
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { containerOf, containersOf, docker, shell } from '../../fixtures/engines/docker.js';
import { metric, startService, type Service } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';
import { readProfile } from './console.js';
import { end, logIn, profileHolds, start } from './session.js';
import { Site } from './site.js';

const service = await startService(t, { BERTH_EGRESS: 'open', BERTH_PROFILE_CHECKPOINT: '0' });
const site = await Site.open(t);
const pathOf = (id: string) => join(service.dataDir, 'profiles', `${id}.profile`);
const isKept = (id: string) =>
  readFile(pathOf(id)).then(
    () => true,
    () => false,
  );

/** Stops the agent of a session, so that it answers nothing until it is told to go on. */
const freeze = (id: string) => shell(containerOf(service, id), 'kill -STOP $(pidof node)');
const thaw = (id: string) => shell(containerOf(service, id), 'kill -CONT $(pidof node)');

/** Resolves when Chromium has written cookies and storage down, which it does within half a minute. */
async function writtenDown(id: string): Promise<void> {
  const holds = (file: string, text: string) => profileHolds(service, id, file, text);
  await until('the login is written down', () => holds('Default/Cookies', 'login'));
  await until('the storage is written down', () => holds('"Default/Local Storage/leveldb/"*.log', 'mark'));
}

/** Starts a session with a profile, and says what its page finds of the login. */
async function found(t: Test, service: Service, id: string, path: string): Promise<void> {
  const session = await start(service, { profile: { load: id }, start_url: site.at(path) });
  const [visit] = await until('the page is visited', () => site.of(path).length > 0 && site.of(path));
  t.match(visit, { mark: 'kept', record: 'kept', cookies: /login=yes/ }, 'the profile is whole');
  await end(service, session.id);
}

t.test('a profile is saved, whatever ends its session', async t => {
  const byTimeout = await logIn(service, site);
  const byCrash = await logIn(service, site);
  // Not before the page is there, however long that takes.
  t.equal((await service.api('POST', `/s/${byTimeout.id}/timeout`, { absolute: 1 })).status, 200);
  // What Chromium has not written down dies with it.
  await writtenDown(byCrash.id);
  // Chromium that ends again and again is given up, and with it the session.
  const kill = 'for p in $(pidof chromium); do kill -9 $p; done; true';
  const record = (id: string) => service.api('GET', `/v0/vm/${id}`).then(({ body }) => body);
  await until('the session is given up', async () => {
    await shell(containerOf(service, byCrash.id), kill);
    return (await record(byCrash.id)).termination_date;
  });
  await until('the profile of the crashed session', () => isKept(byCrash.id));
  t.equal((await record(byCrash.id)).termination_reason, 'crashed');
  await until('the profile of the timed out session', () => isKept(byTimeout.id));
  t.equal((await record(byTimeout.id)).termination_reason, 'absolute');
  await found(t, service, byTimeout.id, '/after-timeout');
  await found(t, service, byCrash.id, '/after-crash');
});

t.test('a service killed while a session ends saves the profile afterwards', async t => {
  const session = await logIn(service, site);
  await freeze(session.id);
  const ending = end(service, session.id).catch(() => null);
  const claimed = async () => (await service.api('GET', `/v0/vm/${session.id}`)).body.termination_date;
  await until('the end is claimed', claimed);
  t.notOk(await isKept(session.id));
  await service.kill9();
  await ending;
  await thaw(session.id);
  await service.restart();
  await until('the profile is saved', () => isKept(session.id));
  await until('the container is gone', async () => (await containersOf(service)).length === 0);
  await found(t, service, session.id, '/after-kill');
});

t.test('an agent killed while its session ends still saves the profile', async t => {
  const session = await logIn(service, site);
  await freeze(session.id);
  const ending = end(service, session.id);
  const claimed = async () => (await service.api('GET', `/v0/vm/${session.id}`)).body.termination_date;
  await until('the end is claimed', claimed);
  await shell(containerOf(service, session.id), 'kill -9 $(pidof node)');
  await ending;
  await until('the profile is saved', () => isKept(session.id), 90_000);
  await until('the container is gone', async () => (await containersOf(service)).length === 0);
  await found(t, service, session.id, '/after-the-agent');
});

t.test('a start waits for a profile that is still being saved', async t => {
  const session = await logIn(service, site);
  await freeze(session.id);
  const ending = end(service, session.id);
  const record = async () => (await service.api('GET', `/v0/vm/${session.id}`)).body;
  await until('the end is claimed', async () => (await record()).termination_date);
  const next = start(service, { profile: session.id, start_url: site.at('/waited') });
  const other = await start(service, {});
  await end(service, other.id);
  t.equal(site.of('/waited').length, 0, 'others start and end meanwhile');
  await thaw(session.id);
  t.equal((await ending).status, 200);
  const { id } = await next;
  const [visit] = await until('the page is visited', () => site.of('/waited').length > 0 && site.of('/waited'));
  t.match(visit, { mark: 'kept' });
  await end(service, id);
  t.ok(metric((await service.api('GET', '/metrics')).body, 'berth_profile_save_seconds_count') > 0);
});

t.test('a profile is updated, overwritten, or left alone as requested', async t => {
  const first = await logIn(service, site);
  await end(service, first.id);
  const before = await readFile(pathOf(first.id));
  const copy = await start(service, { profile: { load: first.id, save: true } });
  await end(service, copy.id);
  t.ok(await isKept(copy.id), 'a copy under its own ID');
  t.ok(before.equals(await readFile(pathOf(first.id))), 'the one it was made from stays');
  const over = await start(service, { profile: { save: first.id } });
  await end(service, over.id);
  t.notOk(await isKept(over.id));
  t.notOk(before.equals(await readFile(pathOf(first.id))), 'it is overwritten');
  await found(t, service, copy.id, '/copy');

  const loaded = await readFile(pathOf(copy.id));
  const updating = await start(service, { profile: copy.id, start_url: site.at('/updating') });
  await until('the page has what was saved', () => site.of('/updating')[0]?.mark === 'kept');
  await shell(containerOf(service, updating.id), 'date >/home/berth/profile/Default/changed');
  await end(service, updating.id);
  t.notOk(await isKept(updating.id), 'it has no profile of its own');
  t.notOk(loaded.equals(await readFile(pathOf(copy.id))));
  t.ok((await readProfile(service, copy.id)).has('Default/changed'), 'a profile that is named is loaded and updated');
  await found(t, service, copy.id, '/updated');
});

t.test('a profile that is unknown or damaged is a clear error', async t => {
  const id = 'AAAAAAAAAAAAAAAAAAAAAA';
  const cases = { '/profile': id, '/profile/load': { load: id }, '/profile/save': { save: id } };
  for (const [path, profile] of Object.entries(cases)) {
    const { status, body } = await service.api('POST', '/v0/vm', { profile });
    t.same([status, body.code, body.details[0].path], [422, 'profile_not_found', path]);
  }
  const session = await logIn(service, site);
  await end(service, session.id);
  const whole = await readFile(pathOf(session.id));
  const broken = [
    whole.subarray(0, whole.length / 2),
    Buffer.concat([whole.subarray(0, 5000), Buffer.alloc(100), whole.subarray(5100)]),
  ];
  for (const bytes of broken) {
    await writeFile(pathOf(session.id), bytes);
    const { status, body } = await service.api('POST', '/v0/vm', { profile: session.id });
    t.same([status, body.code, body.details[0].path], [422, 'profile_damaged', '/profile']);
    t.ok(bytes.equals(await readFile(pathOf(session.id))), 'it stays as it is');
  }
  await truncate(pathOf(session.id), 0);
  t.equal((await service.api('POST', '/v0/vm', { profile: session.id })).body.code, 'profile_damaged');
  await until('nothing is left running', async () => (await containersOf(service)).length === 0);
  await writeFile(pathOf(session.id), whole);
  await found(t, service, session.id, '/repaired');
});

t.test('after a container dies the profile is as last saved while it ran', async t => {
  await service.restart({ env: { BERTH_PROFILE_CHECKPOINT: '1' } });
  const session = await logIn(service, site);
  await until('it is saved while it runs', () => isKept(session.id));
  await writtenDown(session.id);
  await shell(containerOf(service, session.id), 'date >/home/berth/profile/Default/changed');
  // A saving that began before has the new file not yet, nor all that was written down.
  const hasChanged = async () => (await readProfile(service, session.id)).has('Default/changed');
  await until('it is saved again as it changes', hasChanged);
  await docker('kill', containerOf(service, session.id));
  const record = async () => (await service.api('GET', `/v0/vm/${session.id}`)).body;
  await until('the end', async () => (await record()).termination_reason === 'crashed');
  await until('the container is gone', async () => (await containersOf(service)).length === 0);
  await found(t, service, session.id, '/died');
});

t.test('tearing down saves the profiles of running sessions first', async t => {
  const own = await startService(t, { BERTH_EGRESS: 'open' });
  const session = await logIn(own, site);
  await own.stop();
  await own.teardown();
  t.same(await readdir(join(own.dataDir, 'profiles')), [`${session.id}.profile`]);
  await own.restart();
  await found(t, own, session.id, '/torn-down');
});
