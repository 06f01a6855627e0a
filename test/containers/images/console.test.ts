// tags: containers
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import t from 'tap';
import { encodePad, PadButton } from '../../../src/protocol/pad.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containerOf, docker, shell } from '../../fixtures/engines/docker.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { imageName } from '../../fixtures/engines/images.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { startService } from '../../fixtures/services/service.js';

const run = promisify(execFile);
const MAX_BYTES = 950e6;

t.test('the image is within its promised size', async t => {
  const bytes = Number(await docker('image', 'inspect', imageName('console'), '--format', '{{.Size}}'));
  t.ok(bytes <= MAX_BYTES, `${Math.round(bytes / 1e6)} MB`);
});

t.test('an n64 core that the image was built with is used instead of mupen64plus', async t => {
  const prefix = `berth-test-core-${process.pid}`;
  const build = (core: string, checksum = '') => {
    const settings = { BERTH_IMAGE_PREFIX: prefix, BERTH_N64_CORE: core, BERTH_N64_CORE_SHA256: checksum };
    return run('images/build.sh', ['console'], { env: { ...process.env, ...settings } });
  };
  for (const name of ['base', 'display'] as const) await docker('tag', imageName(name), `${prefix}/${name}`);
  t.teardown(async () => {
    const names = await docker('images', '--format', '{{.Repository}}:{{.Tag}}', '--filter', `reference=${prefix}/*`);
    await docker('rmi', ...names.split('\n'));
  });
  await t.rejects(build('/nowhere.so'), { message: /must be an address or a file/ });
  await t.rejects(build('README.md'), { message: /neither a libretro core/ });
  await t.rejects(build('https://example.com/core.zip'), { message: /BERTH_N64_CORE_SHA256 must hold the SHA-256/ });
  const core = `${await testCards(t)}/core.so`;
  const checksum = createHash('sha256').update(await readFile(core)).digest('hex');
  await t.rejects(build(core, checksum.replace(/./, digit => (digit === '0' ? '1' : '0'))), { message: /has another checksum/ });
  await build(core, checksum);

  const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_IMAGE_PREFIX: prefix });
  const session = await ConsoleSession.start(service, { type: 'n64', room_url: `${await serveCards(t)}/card.z64` });
  await session.shows('blue');
  const viewer = await session.join();
  t.teardown(() => viewer.leave());
  viewer.send(encodePad({ type: 'pad', player: 0, control: 'button', id: PadButton.b, down: true }));
  await session.shows('red');
  const { output } = await shell(containerOf(service, session.id), 'cat /proc/[0-9]*/cmdline | tr "\\0" " "');
  t.match(output, /retroarch .*mupen64plus_next_libretro\.so/);
});
