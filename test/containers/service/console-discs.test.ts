// tags: containers, slow
/** A ps1 game with three discs, which shows the colour of the disc that is inside. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import t from 'tap';
import { serveGames } from '../../fixtures/consoles/game-server.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const run = promisify(execFile);
const LABELS = [1, 2, 3].map(disc => `Quest (Disc ${disc})`);

const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true' });
const folder = await testCards(t);
const images = await Promise.all([1, 2, 3].map(disc => readFile(join(folder, `disc-${disc}.chd`))));
// Without a playlist, as people pack them.
const archive = zipSync(Object.fromEntries(images.map((image, i) => [`${LABELS[i]}.chd`, image])));
const { origin } = await serveGames(t, {
  'quest.zip': Buffer.from(archive),
  'card.nes': await readFile(join(folder, 'card.nes')),
});
const start = (fields: object) => ConsoleSession.start(service, { ...fields, width: 640, height: 480 });
const session = await start({ type: 'ps1', room_url: `${origin}/quest.zip` });
const call = ({ id }: ConsoleSession, method: string, ...args: unknown[]) =>
  service.api('POST', `/s/${id}/console.${method}`, args);
const viewer = await session.join();
const isTold = (disc: number) => viewer.heard('discs', message => message.disc === disc);

t.test('a game’s discs are changed, and its states know which one was inside', async t => {
  await isTold(1);
  t.match(await call(session, 'disc'), { status: 200, body: { disc: 1, labels: LABELS } });
  // The BIOS still reads the first one; its pictures are green and white.
  t.match(await call(session, 'disc', 3), { status: 200, body: { disc: 3, labels: LABELS } });
  await isTold(3);
  await session.fills('magenta');
  t.match(await call(session, 'disc', 2), { status: 200, body: { disc: 2 } });
  await isTold(2);
  await session.fills('white');
  t.equal((await call(session, 'saveState', 0)).status, 200);
  t.match(await call(session, 'disc', 3), { status: 200, body: { disc: 3 } });
  await session.fills('magenta');
  const [before] = [viewer.all('discs').length];
  t.equal((await call(session, 'loadState', 0)).status, 200);
  await until('the disc of the state is told', () => viewer.all('discs').slice(before).at(-1)?.disc === 2);
  await session.fills('white');
});

t.test('another disc can be put in while the game is paused', async t => {
  t.equal((await call(session, 'pause', true)).status, 200);
  t.match(await call(session, 'disc', 1), { status: 200, body: { disc: 1 } });
  t.match(viewer.all('game').at(-1), { paused: true });
  t.equal((await call(session, 'pause', false)).status, 200);
  await session.fills('green');
});

t.test('a restarted emulator has the disc that was inside', async t => {
  const { stdout } = await run('docker', ['ps', '-q', '--filter', `label=berth.session=${session.id}`]);
  const inside = async (script: string) =>
    (await run('docker', ['exec', stdout.trim(), 'sh', '-c', script]).catch(() => ({ stdout: '' }))).stdout;
  const saved = () => inside('stat -c %y /home/berth/game/states/*-automatic.state');
  t.equal((await call(session, 'disc', 3)).status, 200);
  const before = await saved();
  await session.fills('magenta');
  await until('its state is saved', async () => (await saved()) !== before);
  await inside('kill -9 $(grep -l ^retroarch$ /proc/[0-9]*/comm | cut -d/ -f3)');
  await viewer.heard('session', ({ state }) => state === 'restarting');
  await session.fills('magenta');
  t.match(await call(session, 'disc'), { status: 200, body: { disc: 3 } });
});

t.test('what is not the number of a disc is refused', async t => {
  for (const disc of [0, 1.5, '2', null])
    t.match(await call(session, 'disc', disc), { status: 400, body: { code: 'invalid_body' } }, JSON.stringify(disc));
  const message = 'The disc must be a whole number from 1 to 3.';
  t.match(await call(session, 'disc', 4), { status: 400, body: { code: 'invalid_body', message } });
});

t.test('a game with one disc has none to change to', async t => {
  viewer.leave();
  await session.end();
  const nes = await start({ type: 'nes', room_url: `${origin}/card.nes` });
  await nes.fills('blue');
  const message = 'This game has no other disc.';
  t.match(await call(nes, 'disc', 2), { status: 409, body: { code: 'one_disc', message } });
  await nes.end();
});
