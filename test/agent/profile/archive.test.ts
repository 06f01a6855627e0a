import { mkdir, open, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack, type Header } from 'tar-stream';
import t, { type Test } from 'tap';
import { chromiumContent } from '../../../src/agent/browser/profile/profile.js';
import { consoleContent } from '../../../src/agent/console/saves.js';
import { RouteError } from '../../../src/agent/link/routes.js';
import { isKept, packProfile, profileFiles, unpackProfile, versionOf } from '../../../src/agent/profile/archive.js';

/** A folder like Chromium's data folder. */
async function profile(t: Test): Promise<string> {
  const folder = t.testdir({
    'Local State': '{}',
    SingletonCookie: 'x',
    'First Run': '',
    GraphiteDawnCache: { data: 'x' },
    Default: {
      Preferences: '{"a": 1}',
      Empty: '',
      Cache: { Cache_Data: { f_1: 'x' } },
      'Code Cache': { js: { index: 'x' } },
      'Local Storage': { leveldb: { '000003.log': 'stored', LOCK: '', LOG: 'x' } },
      'Service Worker': { Database: { CURRENT: 'x' }, ScriptCache: { index: 'x' } },
      IndexedDB: { 'https_ä.example_0.indexeddb.leveldb': { MANIFEST: 'x' } },
      'a-folder-with-a-name-of-more-than-a-hundred-characters-because-some-sites-have-such-names-in-their-databases': {
        f: 'x',
      },
    },
  });
  await symlink('/etc/passwd', join(folder, 'Default/link'));
  return folder;
}

/** An archive of entries as they are given. */
function archive(entries: [Partial<Header> & { name: string }, string?][]): Readable {
  const made = pack();
  for (const [headers, content = ''] of entries) made.entry({ mode: 0o644, ...headers }, content);
  made.finalize();
  return Readable.from(made, { objectMode: false });
}

t.test('what is empty in a file takes no room when it is restored', async t => {
  const [from, to] = [t.testdir({}), `${t.testdirName}-restored`];
  t.teardown(() => rm(to, { recursive: true, force: true }));
  const [size, place] = [64 << 20, (40 << 20) + 5];
  const disk = await open(join(from, 'disk'), 'w');
  await disk.write('kept', place);
  await disk.truncate(size);
  await disk.close();
  const content = { folder: to, keeps: () => true };
  await unpackProfile(await packProfile(from, await profileFiles({ ...content, folder: from }), false), content);
  const { size: restored, blocks } = await stat(join(to, 'disk'));
  t.equal(restored, size);
  t.ok(blocks * 512 < 8 << 20, `${blocks} blocks`);
  const bytes = await readFile(join(to, 'disk'));
  t.equal(bytes.toString('latin1', place, place + 4), 'kept');
  t.ok(bytes.subarray(0, place).every(byte => byte === 0));
});

t.test('a profile that does not fit its session is refused, and nothing of it stays', async t => {
  const content = {
    folder: `${t.testdir({})}/none`,
    keeps: () => true,
    check: () => Promise.reject(new RouteError(412, 'profile_wrong_device', 'Another image.')),
  };
  await t.rejects(unpackProfile(archive([[{ name: 'disk' }, 'x']]), content), {
    name: 'RouteError',
    message: 'Another image.',
  });
  await t.rejects(stat(content.folder), { code: 'ENOENT' });
});

t.test('a profile is restored as it was, without what Chromium regenerates', async t => {
  const folder = await profile(t);
  await writeFile(join(folder, 'Default/big'), Buffer.alloc(20 << 20, 'big'));
  for (const live of [false, true]) {
    const target = join(folder, `../copy-${String(live)}-${process.pid}`);
    t.teardown(() => rm(target, { recursive: true, force: true }));
    await mkdir(target);
    await unpackProfile(
      await packProfile(folder, await profileFiles(chromiumContent(folder)), live),
      chromiumContent(target),
    );
    t.same((await readdir(target)).sort(), ['Default', 'Local State']);
    const kept = await profileFiles(chromiumContent(target));
    t.same(
      kept.map(({ path, size }) => [path, size]),
      (await profileFiles(chromiumContent(folder))).map(({ path, size }) => [path, size]),
    );
    const paths = kept.map(({ path }) => path);
    t.ok(paths.includes('Default/IndexedDB/https_ä.example_0.indexeddb.leveldb/MANIFEST'));
    t.notOk(paths.some(path => /Cache_Data|Code Cache|LOCK|link|Singleton/.test(path)));
    t.equal(await readFile(join(target, 'Default/Local Storage/leveldb/000003.log'), 'utf8'), 'stored');
    t.ok((await readFile(join(target, 'Default/big'))).equals(await readFile(join(folder, 'Default/big'))));
  }
});

t.test('files that change, grow, shrink or vanish during packing do no harm', async t => {
  const folder = await profile(t);
  await writeFile(join(folder, 'Default/big'), Buffer.alloc(20 << 20, 'big'));
  const files = await profileFiles(chromiumContent(folder));
  await writeFile(join(folder, 'Default/big'), 'now small');
  await writeFile(join(folder, 'Default/Preferences'), '{"a": "another, longer value"}');
  await rm(join(folder, 'Default/Local Storage'), { recursive: true });
  const target = t.testdirName + '-changed';
  t.teardown(() => rm(target, { recursive: true, force: true }));
  await mkdir(target);
  await unpackProfile(await packProfile(folder, files, true), chromiumContent(target));
  t.equal(await readFile(join(target, 'Default/Preferences'), 'utf8'), '{"a": "another, longer value"}');
  t.equal((await readFile(join(target, 'Default/big'))).length, 20 << 20);
});

t.test('its version changes with any of its files', async t => {
  const folder = await profile(t);
  // Times of files are coarse: it must not have been written in the same moment as below.
  await utimes(join(folder, 'Default/Preferences'), 1, 1);
  const version = async () => versionOf(await profileFiles(chromiumContent(folder)));
  const before = await version();
  t.equal(await version(), before);
  await writeFile(join(folder, 'Default/Cache/Cache_Data/f_1'), 'changed');
  t.equal(await version(), before, 'caches do not count');
  await writeFile(join(folder, 'Default/Preferences'), '{"a": 2}');
  t.not(await version(), before);
});

t.test('an archive with anything but a profile is refused, and leaves nothing behind', async t => {
  const hostile: [Partial<Header> & { name: string }, string?][] = [
    [{ name: '../outside' }, 'x'],
    [{ name: 'Default/../../outside' }, 'x'],
    [{ name: '/etc/passwd' }, 'x'],
    [{ name: 'Other' }, 'x'],
    [{ name: 'Default/Cache/x' }, 'x'],
    [{ name: 'Default/link', type: 'symlink', linkname: '/etc/passwd' }],
    [{ name: 'Default/link', type: 'link', linkname: '/etc/passwd' }],
    [{ name: 'Default/device', type: 'character-device' }],
    [{ name: 'Default/pipe', type: 'fifo' }],
    [{ name: 'Default/fine' }, 'written twice'],
  ];
  for (const entry of hostile) {
    const folder = t.testdir({});
    const target = join(folder, 'profile');
    const made = archive([[{ name: 'Default/fine' }, 'x'], entry]);
    await t.rejects(
      unpackProfile(made, chromiumContent(target)),
      { name: 'RouteError', status: 400, code: 'profile_damaged' },
      entry[0].name,
    );
    t.same(await readdir(folder), [], 'nothing is left');
  }
  const cut = (await buffer(archive([[{ name: 'Default/fine' }, 'x'.repeat(5000)]]))).subarray(0, 3000);
  const target = join(t.testdir({}), 'profile');
  await t.rejects(unpackProfile(Readable.from([cut]), chromiumContent(target)), { code: 'profile_damaged' }, 'cut off');
  await t.rejects(
    unpackProfile(Readable.from([Buffer.alloc(2000, 'no tar')]), chromiumContent(target)),
    { code: 'profile_damaged' },
    'noise',
  );
});

t.test('file modes are the same whatever an archive says', async t => {
  const target = join(t.testdir({}), 'profile');
  await unpackProfile(archive([[{ name: 'Default/script', mode: 0o4777 }, 'x']]), chromiumContent(target));
  t.equal((await stat(join(target, 'Default/script'))).mode & 0o7777, 0o600);
});

t.test('only files below the data folder, and no caches, are kept', async t => {
  for (const path of ['Default', 'Default/History', 'Local State', 'Default/a b/c'])
    t.ok(isKept(chromiumContent(), path), path);
  for (const path of [
    '',
    '/',
    'Default/',
    '/Default',
    'Default//x',
    'Default/./x',
    'Default/..',
    'x',
    'Default/GPUCache/y',
    'Default/\0',
  ])
    t.notOk(isKept(chromiumContent(), path), JSON.stringify(path));
});

const GAME = `nes/${'0a'.repeat(32)}`;

t.test('of games only batteries, cards and states are kept', async t => {
  const kept = (path: string) => isKept(consoleContent(), path);
  for (const path of [
    'nes',
    GAME,
    `${GAME}/saves`,
    `${GAME}/saves/game.srm`,
    `${GAME}/states`,
    `${GAME}/states/nestopia-0.state`,
    `${GAME}/states/mupen64plus_next-automatic.state`,
  ])
    t.ok(kept(path), path);
  const others = [
    '',
    'gba',
    'nes/game',
    `${GAME}/saves/..`,
    `${GAME}/saves/a/b`,
    `${GAME}/states/game.state`,
    `${GAME}/states/nestopia-10.state`,
    `${GAME}/states/nestopia-0.state.new`,
    `${GAME}/x`,
    `/${GAME}`,
    `../${GAME}`,
    `nes/../${GAME}`,
  ];
  for (const path of others) t.notOk(kept(path), path);
});

t.test('an archive with anything but game saves is refused, and leaves nothing behind', async t => {
  const hostile: [Partial<Header> & { name: string }, string?][] = [
    [{ name: `${GAME}/saves/../../../../outside` }, 'x'],
    [{ name: `${GAME}/saves/link`, type: 'symlink', linkname: '/etc/passwd' }],
    [{ name: GAME, type: 'symlink', linkname: '/etc' }],
    [{ name: `${GAME}/states/nestopia-0.state`, type: 'link', linkname: '/etc/passwd' }],
    [{ name: 'Default/Preferences' }, '{}'],
    [{ name: `${GAME}/saves/game.srm` }, 'written twice'],
  ];
  for (const entry of hostile) {
    const folder = t.testdir({});
    const target = join(folder, 'games');
    const made = archive([[{ name: `${GAME}/saves/game.srm` }, 'x'], entry]);
    await t.rejects(
      unpackProfile(made, consoleContent(target)),
      { name: 'RouteError', status: 400, code: 'profile_damaged' },
      entry[0].name,
    );
    t.same(await readdir(folder), [], 'nothing is left');
  }
});
