// tags: containers, waiting, slow
import { rename, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { containerOf, containersOf, docker, shell } from '../../fixtures/engines/docker.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';
import { Player, readProfile } from './console.js';

const origin = await serveCards(t);
const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_PROFILE_CHECKPOINT: '0' });
const folder = join(service.dataDir, 'profiles');
const isKept = (id: string) =>
  readFile(join(folder, `${id}.profile`)).then(
    () => true,
    () => false,
  );
const record = async (id: string) => (await service.api('GET', `/v0/vm/${id}`)).body;
const end = (id: string) => service.api('DELETE', `/v0/vm/${id}`);

const NES = { type: 'nes', room_url: `${origin}/card.nes`, width: 640, height: 480 };
const N64 = { ...NES, type: 'n64', room_url: `${origin}/card.z64` };
const request = (profile: unknown, game = NES) => service.api('POST', '/console', { ...game, profile });

/** A session whose card is one step further; `profile` becomes the one that it is saved as. */
async function played(game = NES, profile: unknown = true): Promise<{ player: Player; id: string }> {
  const player = await Player.start(service, { ...game, profile });
  await player.session.shows('blue');
  await player.step('white');
  return { player, id: player.session.id };
}

/** Starts a session with a profile, and says that its game goes on one step further. */
async function found(t: Test, profile: string, game = NES): Promise<void> {
  const player = await Player.start(service, { ...game, profile: { load: profile } });
  try {
    await player.session.shows('white');
    t.pass('the game goes on');
  } finally {
    await player.session.end();
  }
}

/** Saves the state of a card that was played in a slot, and has it begin anew, so that what is saved by itself is another. */
async function kept(t: Test, id: string, slot: number): Promise<void> {
  t.equal((await service.api('POST', `/s/${id}/console.saveState`, [slot])).status, 200);
  t.equal((await service.api('POST', `/s/${id}/console.reset`, [])).status, 200);
}

/** Starts a session with a profile, and says that its game goes on from a slot. */
async function loaded(t: Test, profile: string, slot: number): Promise<void> {
  const player = await Player.start(service, { ...NES, profile: { load: profile } });
  const call = async (method: string, ...args: unknown[]) =>
    (await service.api('POST', `/s/${player.session.id}/console.${method}`, args)).status;
  // It may go on from where it was saved by itself: from its beginning, only the slot leads to white.
  await until('the game has begun', async () => (await call('reset')) === 200);
  await player.session.shows('blue');
  t.equal(await call('loadState', slot), 200);
  await player.session.shows('white');
  t.pass('the game goes on from the slot');
  await player.session.end();
}

t.test('reading a session shows which profile it loads and saves', async t => {
  const { id } = await played();
  t.same((await record(id)).profile, { load: null, save: id });
  await end(id);
  const next = await Player.start(service, { ...NES, profile: { load: id, save: true } });
  t.same((await record(next.session.id)).profile, { load: id, save: next.session.id });
  await end(next.session.id);
  t.ok((await isKept(id)) && (await isKept(next.session.id)));
  const plain = await Player.start(service, NES);
  t.notOk('profile' in (await record(plain.session.id)));
  await end(plain.session.id);
});

for (const type of ['absolute', 'inactive', 'offline'] as const) {
  t.test(`a game's saves are kept when its session times out: ${type}`, async t => {
    const { player, id } = await played();
    if (type === 'offline') player.leave();
    const changed = Date.now();
    await service.api('POST', `/s/${id}/timeout`, { [type]: 0.1, reset: false });
    await until('the profile is saved', () => isKept(id));
    const { termination_reason: reason, termination_date: date } = await record(id);
    t.equal(reason, type);
    t.ok(Date.parse(date) >= changed - 10, 'not before the timeout was changed');
    if (type === 'absolute') await found(t, id);
    t.ok(
      [...(await readProfile(service, id)).keys()].some(path => path.endsWith('-automatic.state')),
      'with where it was left',
    );
  });
}

t.test('and when its emulator cannot be kept running', async t => {
  const { id } = await played();
  await kept(t, id, 0);
  await until('the session is given up', async () => {
    await shell(containerOf(service, id), 'for p in $(pidof retroarch); do kill -9 $p; done; true');
    return (await record(id)).termination_reason === 'crashed';
  });
  await until('the profile is saved', () => isKept(id));
  await loaded(t, id, 0);
});

for (const game of [NES, N64]) {
  t.test(`a service killed while a ${game.type} session ends saves the profile afterwards`, async t => {
    const { id } = await played(game);
    await shell(containerOf(service, id), 'kill -STOP $(pidof node)');
    const ending = end(id).catch(() => null);
    await until('the end is claimed', async () => (await record(id)).termination_date);
    await service.kill9();
    await ending;
    t.notOk(await isKept(id));
    await shell(containerOf(service, id), 'kill -CONT $(pidof node)');
    await service.restart();
    await until('the profile is saved', () => isKept(id));
    await until('the container is gone', async () => (await containersOf(service)).length === 0);
    await found(t, id, game);
  });
}

t.test('several games and consoles can share a profile, each with its own saves', async t => {
  const { id } = await played();
  t.equal((await service.api('POST', `/s/${id}/console.saveState`, [0])).status, 200);
  await end(id);
  const other = await played(N64, id);
  t.equal((await service.api('POST', `/s/${other.id}/console.loadState`, [0])).body.code, 'slot_empty');
  t.equal(
    (await service.api('POST', `/s/${other.id}/console.pause`, [true])).status,
    200,
    'it is kept while it is paused, too',
  );
  await end(other.id);
  t.same((await record(other.id)).profile, { load: id, save: id });
  const paths = [...(await readProfile(service, id)).keys()];
  t.ok(
    paths.every(path => /^(nes|n64)\/[0-9a-f]{64}\//.test(path)),
    'by console and content',
  );
  t.equal(new Set(paths.map(path => path.split('/')[1])).size, 2);
  await found(t, id);
  await found(t, id, N64);
});

t.test('a game that cannot be played leaves the profile as it was', async t => {
  const { id } = await played();
  await end(id);
  const before = await readFile(join(folder, `${id}.profile`));
  const { status, body } = await request(id, { ...NES, room_url: `${origin}/nothing` });
  t.equal(status, 201);
  const ended = await until('the session has ended', async () => {
    const read = await record(body.session_id);
    return read.termination_date !== null && read;
  });
  t.match(ended, { termination_reason: 'failed', termination_message: /answered 404/ });
  t.ok(before.equals(await readFile(join(folder, `${id}.profile`))));
});

t.test('after a container dies the profile is as last saved while it ran', async t => {
  await service.restart({ env: { BERTH_PROFILE_CHECKPOINT: '1' } });
  const { id } = await played();
  await kept(t, id, 9);
  await until('the state is saved while it runs', async () => {
    return (await isKept(id)) && [...(await readProfile(service, id)).keys()].some(path => path.endsWith('-9.state'));
  });
  await docker('kill', containerOf(service, id));
  await until('the end', async () => (await record(id)).termination_reason === 'crashed');
  await service.restart();
  await loaded(t, id, 9);
});

t.test('consoles refuse profiles of browsers, and the reverse', async t => {
  const { id } = await played();
  await end(id);
  const browser = await service.api('POST', '/v0/vm', { profile: true });
  const forms = (profile: string) =>
    [
      ['/profile', profile],
      ['/profile/load', { load: profile }],
      ['/profile/save', { save: profile }],
    ] as const;
  for (const isEnded of [false, true]) {
    if (isEnded) await end(browser.body.session_id);
    for (const [path, profile] of forms(browser.body.session_id).filter(
      ([path]) => isEnded || path === '/profile/save',
    )) {
      const { status, body } = await request(profile);
      t.same([status, body.code, body.details[0].path], [422, 'profile_wrong_kind', path], `${path} of a browser`);
    }
  }
  for (const [path, profile] of forms(id)) {
    const { status, body } = await service.api('POST', '/v0/vm', { profile });
    t.same([status, body.code, body.details[0].path], [422, 'profile_wrong_kind', path], `${path} of a console`);
  }
  const { status, body } = await request({ load: 'AAAAAAAAAAAAAAAAAAAAAA' });
  t.same([status, body.code, body.details[0].path], [422, 'profile_not_found', '/profile/load']);
  await found(t, id);
});

t.test('a profile that does not fit into a session is refused', async t => {
  const { id } = await played();
  await shell(containerOf(service, id), 'head -c 20000000 /dev/urandom >/home/berth/game/saves/large');
  await end(id);
  await service.restart({ env: { BERTH_SESSION_HOME_MB: '16' } });
  const { status, body } = await request({ load: id });
  t.same([status, body.code, body.details[0].path], [422, 'profile_too_large', '/profile/load']);
  await until('nothing is left running', async () => (await containersOf(service)).length === 0);
  await service.restart();
  await found(t, id);
});

t.test('unreachable profiles are a temporary error, and nothing is lost', async t => {
  const { id } = await played();
  await end(id);
  const other = await played();
  await rename(folder, `${folder}.away`);
  await writeFile(folder, '');
  const unavailable = async (what: string) => {
    const { status, body } = await request({ load: id });
    t.same([status, body.code], [503, 'profile_unavailable'], what);
    t.notMatch(JSON.stringify(body), new RegExp(service.dataDir), 'it tells no paths');
  };
  await unavailable('a folder that is none');
  t.equal((await end(other.id)).status, 200, 'a session ends all the same');
  t.same(await containersOf(service), [containerOf(service, other.id)], 'but its container waits');
  await rm(folder);
  await rename(`${folder}.away`, folder);
  await service.restart();
  await until('its profile is saved', () => isKept(other.id));
  await found(t, other.id);
  await service.restart({
    env: {
      BERTH_PROFILE_S3_BUCKET: 'profiles',
      BERTH_PROFILE_S3_ENDPOINT: 'http://127.0.0.1:1',
      BERTH_PROFILE_S3_ACCESS_KEY_ID: 'key',
      BERTH_PROFILE_S3_SECRET_ACCESS_KEY: 'secret',
    },
  });
  await unavailable('a bucket that nobody serves');
  await service.restart();
  await found(t, id);
});
