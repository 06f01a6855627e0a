/** A session's game is downloaded as long as the session runs. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { serveGames } from '../../fixtures/game-server.js';
import { serveInProcess } from '../../fixtures/in-process.js';
import { startFakedSession } from '../../fixtures/in-process-session.js';
import { until } from '../../fixtures/until.js';

t.test('the download ends when its session does, and leaves nothing behind', async t => {
  let isOpen = false;
  const { origin } = await serveGames(t, {
    'endless.nes': (_, response) => {
      isOpen = true;
      response.once('close', () => (isOpen = false));
      response.writeHead(200, { 'content-length': 1000 }).write('NES\x1a');
    },
  });
  const dataDir = t.testdir();
  const service = await serveInProcess(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_DATA_DIR: dataDir });
  const session = await startFakedSession(t, { type: 'nes', room_url: `${origin}/endless.nes` }, service);
  service.agent.tell({ type: 'wants', what: 'rom' });
  const files = () => readdir(join(dataDir, 'roms'));
  await until('a part of it is there', async () => isOpen && (await files()).length === 1);
  await service.api('DELETE', `/v0/vm/${session.id}`);
  await until('its connection is closed', () => !isOpen);
  await until('nothing is left', async () => (await files()).length === 0);
});
