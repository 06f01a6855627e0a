import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import { RomCache } from '../../../src/server/roms/cache.js';
import { fileName } from '../../../src/server/roms/file-name.js';
import { RomLibrary, type LibraryOptions } from '../../../src/server/roms/library.js';
import { romRequest } from '../../../src/server/roms/request.js';
import { verified } from '../../../src/server/roms/verified.js';
import { fakeNames, openOutbound } from '../../fixtures/outbound.js';

const GAME = Buffer.from('NES\x1a and what follows');

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function library(t: Test, options: Partial<LibraryOptions> & { cacheBytes?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-roms-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const cache = new RomCache(folder, options.cacheBytes ?? 1e6);
  await cache.open();
  const made = new RomLibrary({ cache, outbound: openOutbound(), maxBytes: 1e6, timeoutMs: 5000, allowPrivate: true, ...options });
  return { folder, get: (url: string) => made.get(url, () => undefined), discard: (url: string) => made.discard(url) };
}

t.test('a game is downloaded once, and asked for again only to see whether it has changed', async t => {
  let etag = '"one"';
  const seen: (string | undefined)[] = [];
  const origin = await serve(t, (request, response) => {
    seen.push(request.headers['if-none-match']);
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
    response.writeHead(200, { etag }).end(GAME);
  });
  const { get } = await library(t);
  const first = await get(`${origin}/games/Some%20Game.nes`);
  t.same(await readFile(first.path), GAME);
  t.equal(first.name, 'Some Game.nes');
  t.equal((await get(`${origin}/games/Some%20Game.nes`)).path, first.path);
  etag = '"two"';
  await get(`${origin}/games/Some%20Game.nes`);
  t.same(seen, [undefined, '"one"', '"one"']);
});

t.test('downloads of one address at the same time are one', async t => {
  let requests = 0;
  const origin = await serve(t, (_, response) => {
    requests++;
    setTimeout(() => response.end(GAME), 50);
  });
  const { get } = await library(t);
  await Promise.all([get(`${origin}/a.nes`), get(`${origin}/a.nes`), get(`${origin}/a.nes`)]);
  t.equal(requests, 1);
});

t.test('the cache has a bound: what was not used for longest goes', async t => {
  const origin = await serve(t, (_, response) => response.end(Buffer.alloc(400)));
  const { get, folder } = await library(t, { cacheBytes: 1000 });
  for (const name of ['a', 'b', 'c']) {
    const { path } = await get(`${origin}/${name}.nes`);
    // Times of files are coarse: they must not have been used in the same moment.
    if (name === 'a') await utimes(path, 1, 1);
  }
  const files = (await readdir(folder)).filter(name => !name.endsWith('.json'));
  t.equal(files.length, 2);
  t.notOk(files.includes(createHash('sha256').update(`${origin}/a.nes`).digest('hex')), 'the oldest is gone');
});

t.test('a game that was damaged on the disk does not pass as whole, and is downloaded again', async t => {
  let requests = 0;
  const origin = await serve(t, (_, response) => {
    requests++;
    response.writeHead(200, { etag: '"one"' }).end(GAME);
  });
  const { get, discard } = await library(t);
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

t.test('redirects are followed, but not without an end', async t => {
  const origin = await serve(t, (request, response) => {
    if (request.url === '/loop') return response.writeHead(302, { location: '/loop' }).end();
    if (request.url === '/file') return response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    if (request.url === '/short') return response.writeHead(302, { location: '/final.nes' }).end();
    response.end(GAME);
  });
  const { get } = await library(t);
  t.equal((await get(`${origin}/short`)).name, 'final.nes');
  await t.rejects(get(`${origin}/loop`), { name: 'RomError', message: /without an end/ });
  await t.rejects(get(`${origin}/file`), { name: 'RomError', message: /neither http nor https/ });
});

t.test('what is too large, empty, missing or cut off is refused, and leaves nothing', async t => {
  const origin = await serve(t, (request, response) => {
    switch (request.url) {
      case '/announced': return response.writeHead(200, { 'content-length': 5000 }).end(Buffer.alloc(5000));
      case '/endless': return response.writeHead(200).end(Buffer.alloc(5000));
      case '/empty': return response.end();
      case '/cut': return response.writeHead(200, { 'content-length': 500 }).write(Buffer.alloc(100), () => response.destroy());
      default: return response.writeHead(404).end();
    }
  });
  const { get, folder } = await library(t, { maxBytes: 1000 });
  await t.rejects(get(`${origin}/announced`), { message: /larger than/ });
  await t.rejects(get(`${origin}/endless`), { message: /larger than/ });
  await t.rejects(get(`${origin}/empty`), { message: /empty file/ });
  await t.rejects(get(`${origin}/cut`), { message: /was lost/ });
  await t.rejects(get(`${origin}/nothing`), { message: /answered 404/ });
  t.same(await readdir(folder), []);
});

t.test('a server that sends too slowly is given up', async t => {
  const origin = await serve(t, (_, response) => void response.write('N'));
  const { get } = await library(t, { timeoutMs: 200 });
  await t.rejects(get(`${origin}/a.nes`), { message: /took too long/ });
});

t.test('private networks are refused: by address, by name, and after a redirect', async t => {
  const origin = await serve(t, (_, response) => response.end(GAME));
  const { get } = await library(t, { allowPrivate: false });
  await t.rejects(get(`${origin}/a.nes`), { message: /private network/ });
  await t.rejects(get(origin.replace('127.0.0.1', 'localhost')), { message: /private network/ });
  await t.rejects(get(origin.replace('127.0.0.1', '[::1]')), { message: /private network/ });
  await t.rejects(get(origin.replace('127.0.0.1', '2130706433')), { message: /private network/ }, 'a number is an address, too');
});

t.test('a redirect leads neither to an address nor to a name where nothing is fetched from', async t => {
  const origin = await serve(t, (request, response) => {
    response.writeHead(302, { location: request.url === '/address' ? 'http://169.254.169.254/a.nes' : 'http://inside.example/a.nes' }).end();
  });
  const outbound = openOutbound(fakeNames({ 'inside.example': [['192.0.0.192']] }));
  const ask = (path: string) => romRequest(origin + path, { outbound, allowPrivate: true, headers: {}, signal: AbortSignal.timeout(5000) });
  await t.rejects(ask('/address'), { name: 'RomError', message: /link-local/ });
  await t.rejects(ask('/name'), { name: 'RomError', message: /metadata/ });
});

t.test('what a download is called', async t => {
  const url = new URL('https://example.com/files/a%20game.zip?x=1');
  t.equal(fileName(undefined, url), 'a game.zip');
  t.equal(fileName('attachment; filename="b.7z"', url), 'b.7z');
  t.equal(fileName("attachment; filename=x.zip; filename*=UTF-8''%C3%BC.nes", url), 'ü.nes');
  t.equal(fileName('attachment; filename="../../etc/passwd"', url), 'passwd');
});
