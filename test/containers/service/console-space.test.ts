// tags: containers
import { readFile } from 'node:fs/promises';
import { zipSync } from 'fflate';
import t from 'tap';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containerOf, containersOf, docker, shell } from '../../fixtures/engines/docker.js';
import { serveGames } from '../../fixtures/consoles/game-server.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { startService } from '../../fixtures/services/service.js';
import { until } from '../../fixtures/until.js';

const MAX_MB = 32;
const MEMORY_MB = 700;
const MIB = 1 << 20;

t.test('a console writes only to memory that counts as its own', async t => {
  const service = await startService(t, {
    BERTH_ROM_ALLOW_PRIVATE: 'true',
    BERTH_ROM_MAX_MB: String(MAX_MB),
    BERTH_SESSION_MEMORY_MB: String(MEMORY_MB),
    BERTH_SESSION_HOME_MB: '32',
  });
  const session = await ConsoleSession.start(service, { type: 'nes', room_url: `${await serveCards(t)}/card.nes` });
  await session.shows('blue');
  const container = containerOf(service, session.id);
  const inspect = (format: string) => docker('inspect', container, '--format', format);
  t.equal(await inspect('{{json .Mounts}}'), '[]', 'no volume');
  t.equal(await inspect('{{json .Config.Volumes}}'), 'null');

  const usage = async () =>
    (await shell(container, "stat -f -c '%b %S' /rom")).output
      .split(' ')
      .reduce((product, each) => product * Number(each), 1);
  const size = await usage();
  t.ok(size >= 2.2 * MAX_MB * MIB && size < 2.3 * MAX_MB * MIB, `${size / MIB} MiB`);
  const memory = Number(await inspect('{{.HostConfig.Memory}}'));
  t.equal(memory, MEMORY_MB * MIB + size, 'the memory of a session, and that of its game');

  const written = await shell(container, `head -c ${4 * MAX_MB}M /dev/zero 2>&1 >/rom/much; stat -c %s /rom/much`);
  t.match(written.output, 'No space left on device');
  t.ok(Number(written.output.trim().split('\n').pop()) < size);
  const places = (await shell(container, "awk '$4 ~ /^rw/ {print $2, $3}' /proc/mounts")).output.trim().split('\n');
  const onDisk = places.filter(place => !/ (tmpfs|proc|mqueue|devpts|devtmpfs)$/.test(place));
  t.same(onDisk, [], 'nothing on the disk of the engine can be written to');
  await session.shows('blue');

  await t.test('a state that does not fit is an error, and the game continues', async t => {
    await shell(container, 'head -c 64M /dev/zero >/home/berth/game/states/much; true');
    const { status, body } = await service.api('POST', `/s/${session.id}/console.saveState`, [0]);
    t.match([status, body.code], [409, 'state_not_saved']);
    await shell(container, 'rm /home/berth/game/states/much');
    t.equal((await service.api('POST', `/s/${session.id}/console.saveState`, [0])).status, 200);
    await session.shows('blue');
  });
});

t.test(
  'a game for which there is no room ends its session, with the reason in the read and for those who watch',
  async t => {
    const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_ROM_MAX_MB: '4' });
    const card = await readFile(`${await testCards(t)}/card.nes`);
    const packed = Buffer.from(zipSync({ 'card.nes': card, 'scans.bin': Buffer.alloc(3 * MIB) }));
    const server = await serveGames(t, { 'card.nes': card, 'card.zip': packed });
    const message = 'The game is larger than the space that a session has for games.';
    for (const [name, left] of [
      ['card.nes', 0],
      ['card.zip', 2 * MIB],
    ] as const) {
      const release = server.hold(name);
      const session = await ConsoleSession.start(service, { type: 'nes', room_url: `${server.origin}/${name}` });
      const viewer = await session.join();
      // Whatever else may take it: an archive that is accepted has the room that it needs.
      await shell(
        containerOf(service, session.id),
        `head -c $(($(stat -f -c '%f * %S' /rom) - ${left})) /dev/zero >/rom/much`,
      );
      release();
      t.match(await session.ended(), { termination_reason: 'failed', termination_message: message }, name);
      t.match(await viewer.heard('end'), { reason: 'failed', message }, `${name}: a viewer is told`);
      t.equal(await viewer.closed(), 4000);
    }
    await until('their containers are gone', async () => (await containersOf(service)).length === 0);
  },
);
