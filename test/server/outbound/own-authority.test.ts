import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { AUTHORITY, LOCALHOST } from '../../fixtures/certificates/index.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { until } from '../../fixtures/until.js';

/** An https server that the authority of the tests vouches for. It lets every viewer in, and has a game. */
async function backend(t: Test) {
  const paths: string[] = [];
  const server = createServer(LOCALHOST, (request, response) => {
    paths.push(request.url ?? '');
    const isGame = request.url === '/game.nes';
    request.resume().on('end', () => response.end(isGame ? Buffer.from('NES\x1a') : '{"authorized":true}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => void server.close().closeAllConnections());
  return { paths, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

for (const isTrusted of [true, false]) {
  t.test(`a server whose authority is ${isTrusted ? '' : 'not '}in BERTH_CA_FILES`, async t => {
    const { url, paths } = await backend(t);
    const env = { BERTH_ROM_ALLOW_PRIVATE: 'true', ...(isTrusted ? { BERTH_CA_FILES: AUTHORITY } : {}) };
    const service = await serveInProcess(t, env);
    const auth = { type: 'webhook', value: { url: `${url}/check` } };
    const session = await startFakedSession(t, { auth }, service);
    const viewer = await session.connect();
    viewer.tell({ type: 'join' });
    if (isTrusted) await viewer.heard('welcome');
    else await once(viewer.socket, 'close');
    t.same(paths.splice(0), isTrusted ? ['/check'] : [], 'the participant check');

    const console = await startFakedSession(t, { type: 'nes', room_url: `${url}/game.nes` }, service);
    service.agent.tell({ type: 'wants', what: 'rom' });
    if (isTrusted) await until('the game is fetched', () => paths.includes('/game.nes'));
    else
      await until('the session has failed', async () => {
        const { body } = { body: (await (await service.api('GET', `/v0/vm/${console.id}`)).json()) as object };
        return 'termination_reason' in body && body.termination_reason === 'failed';
      });
    t.same(paths, isTrusted ? ['/game.nes'] : [], 'a game');
  });
}
