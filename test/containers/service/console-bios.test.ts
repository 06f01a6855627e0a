// tags: containers
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import { containerOf, docker, shell } from '../../fixtures/engines/docker.js';
import { serveCards } from '../../fixtures/consoles/cards.js';
import { testCards } from '../../fixtures/consoles/roms.js';
import { startService } from '../../fixtures/services/service.js';

t.test("a ps1 starts with the operator's BIOS, mounted read-only; other consoles do not get it", async t => {
  const bios = await mkdtemp(join(tmpdir(), 'berth-test-bios-'));
  t.teardown(() => rm(bios, { recursive: true, force: true }));
  await chmod(bios, 0o755);
  const cards = await testCards(t);
  for (const name of ['scph5500.bin', 'scph5501.bin', 'scph5502.bin']) {
    await copyFile(join(cards, 'bios.bin'), join(bios, name));
    await chmod(join(bios, name), 0o644);
  }
  const service = await startService(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_PS1_BIOS_DIR: bios });
  const origin = await serveCards(t);

  const ps1 = await ConsoleSession.start(service, { type: 'ps1', room_url: `${origin}/card.exe` });
  await ps1.shows('green');
  const container = containerOf(service, ps1.id);
  const mounts = await docker(
    'inspect',
    container,
    '--format',
    '{{range .Mounts}}{{if eq .Type "bind"}}{{.Source}} {{.Destination}} {{.RW}}{{end}}{{end}}',
  );
  t.equal(mounts, `${bios} /opt/berth/bios false`);
  t.not((await shell(container, 'echo > /opt/berth/bios/scph5501.bin')).status, 0, 'nothing can be written');

  const nes = await ConsoleSession.start(service, { type: 'nes', room_url: `${origin}/card.nes` });
  await nes.shows('blue');
  t.equal((await shell(containerOf(service, nes.id), 'ls /opt/berth/bios')).output, '');
});
