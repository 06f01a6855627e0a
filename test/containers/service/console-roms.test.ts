// tags: containers, waiting, slow
/** Games in every form that they come in, and what is no game, from the request to the picture. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containersOf } from '../../fixtures/engines/docker.js';
import { serveGames, type Served } from '../../fixtures/consoles/game-server.js';
import { packedGames } from '../../fixtures/consoles/packed-games.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

type Kind = 'nes' | 'snes' | 'n64' | 'ps1';

const MAX_MB = 4;
/** What all other games come in, on a busy machine too. */
const TIMEOUT_S = 10;
/** Sessions that are started at the same time. */
const AT_ONCE = 3;

const folder = await testCards(t);
const [nes, sfc, z64, chd, bin] = await Promise.all(
  ['card.nes', 'card.sfc', 'card.z64', 'card-ps1.chd', 'card-ps1.bin'].map(name => readFile(join(folder, name))),
);
const large = Buffer.alloc((MAX_MB << 20) + 1);

const games: Record<string, Served> = {
  ...(await packedGames(folder)),
  'card.nes': nes as Buffer,
  'card.chd': chd as Buffer,
  'card.bin': bin as Buffer,
  'page.nes': Buffer.from('<!doctype html><title>not a game</title>'),
  'empty.nes': Buffer.alloc(0),
  'large.nes': large,
  'endless.nes': (_, response) => response.writeHead(200).end(large),
  'cut.nes': (_, response) =>
    void response.writeHead(200, { 'content-length': 5000 }).write('NES\x1a', () => response.destroy()),
  'slow.nes': (_, response) => void response.writeHead(200).write('NES\x1a'),
  'broken.nes': (_, response) => response.writeHead(500).end(),
  'loop.nes': (_, response) => response.writeHead(302, { location: '/loop.nes' }).end(),
  'ftp.nes': (_, response) => response.writeHead(302, { location: 'ftp://games.example/card.nes' }).end(),
  'rom.php?id=3': nes as Buffer,
  'Game v1.2': sfc as Buffer,
  'get.aspx': z64 as Buffer,
  'card-ps1.php': (_, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="disc 1.img"' }).end(bin),
  moved: (_, response) => response.writeHead(301, { location: '/named' }).end(),
  named: (_, response) =>
    response.writeHead(200, { 'content-disposition': 'attachment; filename="card.nes"' }).end(nes),
};
const service = await startService(t, {
  BERTH_ROM_ALLOW_PRIVATE: 'true',
  BERTH_ROM_MAX_MB: String(MAX_MB),
  BERTH_ROM_TIMEOUT: String(TIMEOUT_S),
  BERTH_RATE_LIMIT: '0',
});
const server = await serveGames(t, games);

const start = (type: Kind, name: string) =>
  ConsoleSession.start(service, { type, room_url: `${server.origin}/${name}`, width: 320, height: 240 });

/** Does something with each, a few at a time. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
    }),
  );
}

t.test('every format of a game is played, whatever its address', async t => {
  const forms: [Kind, string][] = [
    ['ps1', 'discs.7z'],
    ['ps1', 'disc.zip'],
    ['ps1', 'card.bin'],
    ['ps1', 'card.iso'],
    ['ps1', 'card.chd'],
    ['ps1', 'finder.zip'],
    ['nes', 'card.zip'],
    ['nes', 'explorer.zip'],
    ['nes', 'lzma.zip'],
    ['nes', 'moved'],
    ['snes', 'headed.smc'],
    ['snes', 'headless.sfc'],
    ['n64', 'card.v64'],
    ['n64', 'card.n64'],
    ['nes', 'rom.php?id=3'],
    ['snes', 'Game v1.2'],
    ['n64', 'get.aspx'],
    ['ps1', 'card-ps1.php'],
  ];
  await each(forms, async ([type, name]) => {
    const session = await start(type, name);
    await session.shows('blue');
    t.pass(`${type} ${name}`);
    await session.end();
  });
});

t.test('anything but a game ends its session, with the reason in the record and for viewers', async t => {
  const kinds: [Kind, string, RegExp][] = [
    ['nes', 'page.nes', /not a game for the nes: it is a web page/],
    ['nes', 'short.nes', /cut off/],
    ['ps1', 'short.exe', /cut off/],
    ['snes', 'nes.sfc', /it is a game for the nes/],
    ['snes', 'picture.sfc', /it is a picture/],
    ['snes', 'card.nes', /it is a game for the nes/],
    ['ps1', 'text.bin', /it is a text/],
    ['ps1', 'lonely.cue', /names "missing\.bin", which is not beside it/],
    ['ps1', 'half-discs.zip', /names "missing\.bin", which is not beside it/],
    ['ps1', 'above.m3u', /names "passwd", which is not beside it/],
    ['n64', 'bootless.z64', /not a game for the n64/],
    ['nes', 'nothing.zip', /no game for nes in it: no file is a \.nes/],
    ['nes', 'nested.zip', /it is an archive/],
    ['nes', 'several.zip', /several games for nes in it: "one\.nes", "two\.nes"/],
    ['nes', 'empty.zip', /is empty/],
    ['nes', 'damaged.zip', /damaged/],
    ['nes', 'damaged.7z', /damaged/],
    ['nes', 'locked.zip', /locked with a password/],
    ['nes', 'locked.7z', /locked with a password/],
    ['nes', 'above.zip', /lead out of its folder/],
    ['nes', 'absolute.zip', /lead out of its folder/],
    ['nes', 'link.zip', /lead out of its folder/],
    ['nes', 'bomb.zip', /larger than 4 MB unpacked/],
    ['nes', 'liar.zip', /damaged/],
    ['nes', 'missing.nes', /answered 404/],
    ['nes', 'broken.nes', /answered 500/],
    ['nes', 'empty.nes', /empty file/],
    ['nes', 'cut.nes', /was lost/],
    ['nes', 'slow.nes', /took too long/],
    ['nes', 'large.nes', /larger than 4 MiB/],
    ['nes', 'endless.nes', /larger than 4 MiB/],
    ['nes', 'loop.nes', /redirects too often/],
    ['nes', 'ftp.nes', /neither http nor https/],
  ];
  await each(kinds, async ([type, name, message]) => {
    const release = server.hold(name);
    const session = await start(type, name);
    const viewer = await session.join();
    release();
    const ended = await session.ended();
    t.equal(ended.termination_reason, 'failed', name);
    t.match(ended.termination_message, message, name);
    const told = await viewer.heard('end');
    t.match(told, { reason: 'failed', message: ended.termination_message }, `${name}: a viewer is told`);
    viewer.leave();
  });
});

t.test("viewers see the game's download progress, and why it fails", async t => {
  let cut: () => void = () => t.fail('the game was not asked for');
  games['half.nes'] = (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write(Buffer.alloc(50));
    cut = () => response.destroy();
  };
  const session = await start('nes', 'half.nes');
  const viewer = await session.join();
  const told = await viewer.heard('session', ({ message }) => message === 'Loading the game: 50 %');
  t.match(told, { step: 'game_load', loaded: { received: 50, total: 100 } }, 'for other languages, too');
  for (const [method, ...args] of [['saveState', 0], ['loadState', 0], ['reset']] as const) {
    const { status, body } = await service.api('POST', `/s/${session.id}/console.${method}`, args);
    t.match([status, body.code], [409, 'not_playing'], `${method} before there is a game`);
  }
  cut();
  const { message } = await viewer.heard('end', ({ reason }) => reason === 'failed');
  t.match(message, /was lost/);
  t.equal((await session.ended()).termination_message, message);
});

t.test('a game damaged on disk is detected and downloaded again', async t => {
  const url = `${server.origin}/card.nes`;
  const first = await start('nes', 'card.nes');
  await first.shows('blue');
  await first.end();
  const path = join(service.dataDir, 'roms', createHash('sha256').update(url).digest('hex'));
  const content = await readFile(path);
  await writeFile(path, content.fill(0xff, 20_000));
  server.asked.length = 0;
  const second = await start('nes', 'card.nes');
  await second.shows('blue');
  t.same(server.asked, ['card.nes "card.nes"', 'card.nes']);
  t.same(await readFile(path), nes);
  await second.end();
});

t.test('nothing of them is left over', async () => {
  await until('their containers are gone', async () => (await containersOf(service)).length === 0);
  const names = () => readdir(join(service.dataDir, 'roms'));
  await until('no part of a game', async () => !(await names()).some(name => name.endsWith('.part')));
});

t.test('names that resolve to private networks are refused unless they are allowed', async t => {
  const strict = await startService(t);
  const session = await ConsoleSession.start(strict, {
    type: 'nes',
    room_url: `${server.origin.replace('127.0.0.1', 'localhost')}/card.nes`,
  });
  t.match(await session.ended(), { termination_reason: 'failed', termination_message: /private network/ });
});
