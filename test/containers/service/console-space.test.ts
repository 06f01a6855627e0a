import t from 'tap';
import { ConsoleSession } from '../../fixtures/console-session.js';
import { containerOf, docker, shell } from '../../fixtures/docker.js';
import { serveCards } from '../../fixtures/games.js';
import { startService } from '../../fixtures/service.js';

const MAX_MB = 32;
const MEMORY_MB = 700;
const MIB = 1 << 20;

t.test('a console writes to memory that counts as its own, and to nothing else', async t => {
  const service = await startService(t, {
    BERTH_ROM_ALLOW_PRIVATE: 'true',
    BERTH_ROM_MAX_MB: String(MAX_MB),
    BERTH_SESSION_MEMORY_MB: String(MEMORY_MB),
  });
  const session = await ConsoleSession.start(service, { type: 'nes', room_url: `${await serveCards(t)}/card.nes` });
  await session.shows('blue');
  const container = containerOf(service, session.id);
  const inspect = (format: string) => docker('inspect', container, '--format', format);
  t.equal(await inspect('{{json .Mounts}}'), '[]', 'no volume');
  t.equal(await inspect('{{json .Config.Volumes}}'), 'null');

  const usage = async () => Number((await shell(container, "stat -f -c '%b %S' /rom")).output.split(' ').reduce((product, each) => product * Number(each), 1));
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
});
