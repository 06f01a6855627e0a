/** Games that were downloaded before: when their server is asked, and what happens while it is down. */
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import t, { type Test } from 'tap';
import { GAME, gameLibrary, serveGames } from '../../fixtures/consoles/game-library.js';
t.test('a game is downloaded once, then only revalidated', async t => {
  let etag = '"one"';
  const seen: (string | undefined)[] = [];
  const origin = await serveGames(t, (request, response) => {
    seen.push(request.headers['if-none-match']);
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
    response.writeHead(200, { etag }).end(GAME);
  });
  const { get } = await gameLibrary(t);
  const first = await get(`${origin}/games/Some%20Game.nes`);
  t.same(await readFile(first.path), GAME);
  t.equal(first.name, 'Some Game.nes');
  t.equal((await get(`${origin}/games/Some%20Game.nes`)).path, first.path);
  etag = '"two"';
  await get(`${origin}/games/Some%20Game.nes`);
  t.same(seen, [undefined, '"one"', '"one"']);
});

/** A server whose next answers are told: headers of a game, a status, or how it fails. */
async function changing(t: Test) {
  const server = {
    origin: '',
    answer: {} as OutgoingHttpHeaders | number | 'silent' | 'cut' | 'half',
    asked: [] as IncomingHttpHeaders[],
    bytes: 0,
  };
  server.origin = await serveGames(t, (request, response) => {
    server.asked.push(request.headers);
    const { answer } = server;
    if (answer === 'silent') return;
    if (answer === 'cut') return void response.destroy();
    if (answer === 'half')
      return void response.writeHead(200, { 'content-length': 500 }).write('N', () => response.destroy());
    if (typeof answer === 'number') return void response.writeHead(answer).end('no game');
    if (answer['etag'] !== undefined && request.headers['if-none-match'] === answer['etag'])
      return void response.writeHead(304).end();
    server.bytes += GAME.length;
    response.writeHead(200, answer).end(GAME);
  });
  return server;
}

t.test('a cached game is used while its server is down, and the log says so', async t => {
  const server = await changing(t);
  const { get, log } = await gameLibrary(t, { timeoutMs: 60_000 });
  const url = `${server.origin}/a.nes?key=hunter2`;
  server.answer = { etag: '"one"' };
  await get(url);
  for (const answer of [500, 503, 'silent', 'cut', 'half'] as const) {
    server.answer = answer;
    t.same(await readFile((await get(url)).path), GAME, String(answer));
  }
  t.match(log(), /cached game used without asking its server/);
  t.match(log(), /answered 503/);
  t.notMatch(log(), /hunter2|a\.nes/, 'the address is nobody else to read');
  for (const answer of [401, 403, 404, 410, 429, 302] as const) {
    server.answer = answer;
    await t.rejects(
      get(url),
      { message: `The game's server answered ${answer}.` },
      'what its server refuses is not used',
    );
  }
  server.answer = 500;
  await t.rejects(get(`${server.origin}/a.nes?key=other`), { message: /answered 500/ }, 'nor for another address');
});

t.test('a cached game is not used without its server where that forbade it, or where it is damaged', async t => {
  for (const directive of ['no-cache', 'No-Store', 'max-age=5, must-revalidate', 'proxy-revalidate']) {
    const server = await changing(t);
    const { get } = await gameLibrary(t);
    server.answer = { etag: '"one"', 'cache-control': directive };
    await get(`${server.origin}/a.nes`);
    server.answer = 503;
    await t.rejects(get(`${server.origin}/a.nes`), { message: /answered 503/ }, directive);
  }
  const server = await changing(t);
  const { get, discard } = await gameLibrary(t);
  await get(`${server.origin}/a.nes`);
  await discard(`${server.origin}/a.nes`);
  server.answer = 503;
  await t.rejects(get(`${server.origin}/a.nes`), { message: /answered 503/ });
});

t.test(
  'a game without ETag and Last-Modified is downloaded anew, unless its server said how long it holds',
  async t => {
    const cases: [headers: OutgoingHttpHeaders, downloads: number][] = [
      [{}, 2],
      [{ 'cache-control': 'public, max-age=600' }, 1],
      [{ 'cache-control': 's-maxage="600"' }, 1],
      [{ expires: new Date(Date.now() + 600_000).toUTCString() }, 1],
      [{ 'cache-control': 'max-age=600', age: '700' }, 2],
      [{ 'cache-control': 'max-age=600, no-cache' }, 2],
      [{ 'cache-control': 'max-age=600, private' }, 2],
      [{ 'cache-control': 'max-age=-1' }, 2],
      [{ 'cache-control': 'max-age=0', expires: new Date(Date.now() + 600_000).toUTCString() }, 2],
      [{ expires: '0' }, 2],
    ];
    for (const [headers, downloads] of cases) {
      const server = await changing(t);
      const { get } = await gameLibrary(t);
      server.answer = headers;
      for (let i = 0; i < 2; i++) t.same(await readFile((await get(`${server.origin}/a.nes`)).path), GAME);
      t.equal(server.bytes, downloads * GAME.length, JSON.stringify(headers));
    }
    const server = await changing(t);
    const { get } = await gameLibrary(t);
    server.answer = { etag: '"one"', 'cache-control': 'max-age=600' };
    await get(`${server.origin}/a.nes`);
    await get(`${server.origin}/a.nes`);
    t.equal(server.asked.length, 2, 'with an ETag, asking costs little');
    t.equal(server.bytes, GAME.length);
  },
);
