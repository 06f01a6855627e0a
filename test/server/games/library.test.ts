import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { RomCache } from '../../../src/server/games/cache.js';
import { fileName } from '../../../src/server/games/file-name.js';
import { romRequest } from '../../../src/server/games/request.js';
import { verified } from '../../../src/server/games/verified.js';
import { GAME, gameLibrary, serveGames } from '../../fixtures/consoles/game-library.js';
import { fakeNames, openOutbound } from '../../fixtures/services/outbound.js';
import { until } from '../../fixtures/until.js';

t.test('concurrent downloads of one address are one', async t => {
  let requests = 0;
  const origin = await serveGames(t, (_, response) => {
    requests++;
    setTimeout(() => response.end(GAME), 50);
  });
  const { get } = await gameLibrary(t);
  await Promise.all([get(`${origin}/a.nes`), get(`${origin}/a.nes`), get(`${origin}/a.nes`)]);
  t.equal(requests, 1);
});

t.test('the cache is limited: the least recently used game is removed', async t => {
  const origin = await serveGames(t, (_, response) => response.end(Buffer.alloc(400)));
  const { get, folder } = await gameLibrary(t, { cacheBytes: 1000 });
  for (const name of ['a', 'b', 'c']) {
    const { path } = await get(`${origin}/${name}.nes`);
    // Times of files are coarse: they must not have been used in the same moment.
    if (name === 'a') await utimes(path, 1, 1);
  }
  const files = (await readdir(folder)).filter(name => !name.endsWith('.json'));
  t.equal(files.length, 2);
  t.notOk(files.includes(createHash('sha256').update(`${origin}/a.nes`).digest('hex')), 'the oldest is gone');
});

t.test('a game damaged on disk is detected and downloaded again', async t => {
  let requests = 0;
  const origin = await serveGames(t, (_, response) => {
    requests++;
    response.writeHead(200, { etag: '"one"' }).end(GAME);
  });
  const { get, discard } = await gameLibrary(t);
  const { path, sha256 } = await get(`${origin}/a.nes`);
  const read = async (pieces: Buffer[]) => {
    const passed: Buffer[] = [];
    for await (const piece of verified(Readable.from(pieces), sha256)) passed.push(piece);
    return Buffer.concat(passed);
  };
  t.same(await read([await readFile(path)]), GAME);
  t.same(await read([GAME.subarray(0, 7), GAME.subarray(7)]), GAME);
  await t.rejects(read([GAME.subarray(0, 7), Buffer.alloc(GAME.length - 7)]), { name: 'DamagedRom' });
  await discard(`${origin}/a.nes`);
  t.same(await readFile((await get(`${origin}/a.nes`)).path), GAME);
  t.equal(requests, 2);
});

t.test('redirects are followed, up to a limit', async t => {
  const origin = await serveGames(t, (request, response) => {
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (request.url === '/file') return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    if (request.url === '/short') return response.writeHead(302, { location: '/final.nes' }).end();
    response.end(GAME);
  });
  const { get } = await gameLibrary(t);
  t.equal((await get(`${origin}/short`)).name, 'final.nes');
  await t.rejects(get(`${origin}/loop`), { name: 'RomError', message: /redirects too often/ });
  await t.rejects(get(`${origin}/file`), { name: 'RomError', message: /neither http nor https/ });
});

t.test('what is too large, empty, missing or cut off is refused, and leaves nothing behind', async t => {
  const origin = await serveGames(t, (request, response) => {
    switch (request.url) {
      case '/announced':
        return response.writeHead(200, { 'content-length': 5000 }).end(Buffer.alloc(5000));
      case '/endless':
        return response.writeHead(200).end(Buffer.alloc(5000));
      case '/empty':
        return response.end();
      case '/cut':
        return response.writeHead(200, { 'content-length': 500 }).write(Buffer.alloc(100), () => response.destroy());
      default:
        return response.writeHead(404).end();
    }
  });
  const { get, folder } = await gameLibrary(t, { maxBytes: 1000 });
  await t.rejects(get(`${origin}/announced`), { message: /larger than/ });
  await t.rejects(get(`${origin}/endless`), { message: /larger than/ });
  await t.rejects(get(`${origin}/empty`), { message: /empty file/ });
  await t.rejects(get(`${origin}/cut`), { message: /was lost/ });
  await t.rejects(get(`${origin}/nothing`), { message: /answered 404/ });
  t.same(await readdir(folder), []);
});

/** Serves games that stop halfway until they are let go on; `open` are those whose answers have begun. */
async function halves(t: Test, bytes: number, announced = true) {
  const open = new Map<string, () => void>();
  const closed: string[] = [];
  const origin = await serveGames(t, (request, response) => {
    const name = request.url ?? '';
    response.writeHead(200, announced ? { 'content-length': bytes } : {}).write(Buffer.alloc(bytes / 2));
    open.set(name, () => response.end(Buffer.alloc(bytes / 2)));
    response.once('close', () => {
      open.delete(name);
      closed.push(name);
    });
  });
  return { origin, open, closed };
}

/** Bytes of games in a folder, whole and not. */
async function bytesIn(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter(name => !name.endsWith('.json'));
  const sizes = await Promise.all(
    names.map(name =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

t.test('downloads in progress count: games, complete and partial, never exceed the limit', async t => {
  const server = await halves(t, 400);
  const { get, folder } = await gameLibrary(t, { cacheBytes: 1000, maxBytes: 500 });
  const urls = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => `${server.origin}/${name}`);
  const games = urls.map(url => get(url));
  let [done, most, parts] = [0, 0, 0];
  for (const game of games) void game.then(() => done++);
  await until('all are downloaded', async () => {
    const names = await readdir(folder);
    parts = Math.max(parts, names.filter(name => name.endsWith('.part')).length);
    most = Math.max(most, await bytesIn(folder));
    for (const go of server.open.values()) go();
    return done === urls.length;
  });
  t.ok(most <= 1000 && most > 400, `${most} bytes`);
  t.ok(parts >= 1 && parts <= 2, `${parts} parts`);
  t.equal((await readdir(folder)).filter(name => !name.endsWith('.json')).length, 2);
});

t.test('a game of unknown size reserves room for the largest one; waiters are served in order', async t => {
  const server = await halves(t, 100, false);
  const { get, folder } = await gameLibrary(t, { cacheBytes: 1000, maxBytes: 600 });
  const parts = async () => (await readdir(folder)).filter(name => name.endsWith('.part')).length;
  const [first, second] = [get(`${server.origin}/a`), get(`${server.origin}/b`)];
  await until('both have answered', () => server.open.size === 2);
  await until('one is written', async () => (await parts()) === 1);
  const served: string[] = [];
  void first.then(() => served.push('a'));
  void second.then(() => served.push('b'));
  for (const go of server.open.values()) go();
  await Promise.all([first, second]);
  t.equal(served.length, 2);
  t.equal(await parts(), 0);
});

t.test('concurrent downloads are limited; revalidation does not wait for them', async t => {
  const server = await halves(t, 100);
  const known = await serveGames(t, (request, response) => {
    if (request.headers['if-none-match'] === '"one"') return response.writeHead(304).end();
    response.writeHead(200, { etag: '"one"' }).end(GAME);
  });
  const { get, folder } = await gameLibrary(t, { writers: 2 });
  await get(`${known}/known.nes`);
  const games = ['a', 'b', 'c'].map(name => get(`${server.origin}/${name}`));
  const parts = async () => (await readdir(folder)).filter(name => name.endsWith('.part')).length;
  await until('all have answered', () => server.open.size === 3);
  await until('two are written', async () => (await parts()) === 2);
  t.same(await readFile((await get(`${known}/known.nes`)).path), GAME);
  t.equal(await parts(), 2);
  for (const go of server.open.values()) go();
  await Promise.all(games);
});

t.test('a download is aborted with its last waiter, not before', async t => {
  const server = await halves(t, 100);
  const { get, folder } = await gameLibrary(t);
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [one, two].map(({ signal }) =>
    get(`${server.origin}/a`, signal).then(
      () => 'done',
      () => 'given up',
    ),
  );
  await until('it has begun', () => server.open.size === 1);
  one.abort();
  t.equal(await waiting[0], 'given up');
  t.same(server.closed, [], 'somebody waits for it still');
  two.abort();
  t.equal(await waiting[1], 'given up');
  // Who comes now is not served what was given up.
  const again = get(`${server.origin}/a`);
  await until('the connection is closed', () => server.closed.length === 1);
  await until('it is asked for again', () => server.open.size === 1);
  server.open.get('/a')?.();
  t.equal((await again).bytes, 100);
  t.same(
    (await readdir(folder)).filter(name => name.endsWith('.part')),
    [],
  );
});

t.test('one that waits for its turn can be aborted', async t => {
  const server = await halves(t, 100);
  const { get, folder } = await gameLibrary(t, { writers: 1 });
  const first = get(`${server.origin}/a`);
  await until('the first is written', async () => (await readdir(folder)).length === 1);
  const leaving = new AbortController();
  const second = get(`${server.origin}/b`, leaving.signal).catch(() => 'given up');
  const third = get(`${server.origin}/c`);
  await until('all have answered', () => server.open.size === 3);
  leaving.abort();
  t.equal(await second, 'given up');
  await until('its connection is closed', () => server.closed.includes('/b'));
  for (const go of server.open.values()) go();
  await Promise.all([first, third]);
});

t.test('neither stopping nor killing the service leaves a partial game', async t => {
  const server = await halves(t, 100);
  const { get, folder, stop } = await gameLibrary(t);
  const game = t.rejects(get(`${server.origin}/a`), { name: 'RomError', message: /stopping/ });
  await until('it is written', async () => (await bytesIn(folder)) === 50);
  await stop();
  t.same(await readdir(folder), []);
  await game;
  for (const name of ['x.part', 'x.part.json', 'y', 'z.json', 'whole', 'whole.json'])
    await writeFile(join(folder, name), 'x');
  await new RomCache(folder, { maxBytes: 1000, fileBytes: 1000, writers: 1 }).open();
  t.same((await readdir(folder)).sort(), ['whole', 'whole.json']);
});

t.test('a full disk leaves no partial game', async t => {
  const origin = await serveGames(t, (_, response) => response.end(GAME));
  const { get, folder } = await gameLibrary(t);
  // Where the game would go there is a folder that cannot be replaced.
  await mkdir(join(folder, createHash('sha256').update(`${origin}/a.nes`).digest('hex'), 'in-the-way'), {
    recursive: true,
  });
  await t.rejects(get(`${origin}/a.nes`));
  t.same(
    (await readdir(folder)).filter(name => name.endsWith('.part') || name.endsWith('.json')),
    [],
  );
});

t.test('a server that sends too slowly is given up on', async t => {
  const origin = await serveGames(t, (_, response) => void response.write('N'));
  const { get } = await gameLibrary(t, { timeoutMs: 200 });
  await t.rejects(get(`${origin}/a.nes`), { message: /took too long/ });
});

t.test('private networks are refused: by address, by name, and after a redirect', async t => {
  const origin = await serveGames(t, (_, response) => response.end(GAME));
  const { get } = await gameLibrary(t, { allowPrivate: false });
  await t.rejects(get(`${origin}/a.nes`), { message: /private network/ });
  await t.rejects(get(origin.replace('127.0.0.1', 'localhost')), { message: /private network/ });
  await t.rejects(get(origin.replace('127.0.0.1', '[::1]')), { message: /private network/ });
  await t.rejects(
    get(origin.replace('127.0.0.1', '2130706433')),
    { message: /private network/ },
    'a number is an address, too',
  );
});

t.test('redirects to forbidden addresses or names are refused', async t => {
  const origin = await serveGames(t, (request, response) => {
    response
      .writeHead(302, {
        location: request.url === '/address' ? 'http://169.254.169.254/a.nes' : 'http://inside.example/a.nes',
      })
      .end();
  });
  const outbound = openOutbound(fakeNames({ 'inside.example': [['192.0.0.192']] }));
  const ask = (path: string) =>
    romRequest(origin + path, {
      outbound,
      allowPrivate: true,
      headers: {},
      what: 'game',
      silenceMs: 5000,
      signal: AbortSignal.timeout(5000),
    });
  await t.rejects(ask('/address'), { name: 'RomError', message: /link-local/ });
  await t.rejects(ask('/name'), { name: 'RomError', message: /metadata/ });
});

t.test('the file name of a download', async t => {
  const url = new URL('https://example.com/files/a%20game.zip?x=1');
  t.equal(fileName(undefined, url), 'a game.zip');
  t.equal(fileName('attachment; filename="b.7z"', url), 'b.7z');
  t.equal(fileName("attachment; filename=x.zip; filename*=UTF-8''%C3%BC.nes", url), 'ü.nes');
  t.equal(fileName('attachment; filename="../../etc/passwd"', url), 'passwd');
});
