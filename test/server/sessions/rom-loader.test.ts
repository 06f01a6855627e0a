/** A session's game is downloaded as long as the session runs. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import t, { type Test } from 'tap';
import type { RomLibrary } from '../../../src/server/games/index.js';
import { createLogger } from '../../../src/server/lib/logger.js';
import type { AgentRequest, Session } from '../../../src/server/model/index.js';
import type { Connection } from '../../../src/server/sessions/connection.js';
import { LiveSession } from '../../../src/server/sessions/live-session.js';
import { RomLoader } from '../../../src/server/sessions/start/rom-loader.js';
import type { FakeAgent } from '../../fixtures/agents/fake-agent.js';
import { serveGames } from '../../fixtures/consoles/game-server.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';
import { startFakedSession } from '../../fixtures/services/faked-session.js';
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

const GAME = Buffer.concat([Buffer.from('NES\x1a'), Buffer.alloc(60_000)]);
const WANTS = { type: 'wants', what: 'rom' } as const;

/** A console whose agent answers the game like that. */
async function consoleOf(t: Test, onRequest: NonNullable<FakeAgent['onRequest']>) {
  const { origin } = await serveGames(t, { 'game.nes': GAME });
  const service = await serveInProcess(t, { BERTH_ROM_ALLOW_PRIVATE: 'true', BERTH_LOG_LEVEL: 'debug' });
  await startFakedSession(t, { type: 'nes', room_url: `${origin}/game.nes` }, service);
  service.agent.onRequest = onRequest;
  return { service, agent: service.agent };
}

t.test('a game that was delivered is delivered again only to an agent that was restarted', async t => {
  let got = 0;
  const { agent, service } = await consoleOf(t, (request, response) => {
    request.resume().once('end', () => {
      got++;
      response.writeHead(204).end();
    });
  });
  agent.tell(WANTS);
  await until('it is there', () => got === 1);
  const begun = performance.now();
  for (let i = 0; i < 50; i++) agent.tell(WANTS);
  agent.onLaunch = () => (queueMicrotask(() => agent.tell(WANTS)), {});
  agent.breakLinks();
  await until('it is there again', () => got === 2);
  t.ok(performance.now() - begun > 900, 'after a pause');
  t.notMatch(service.log(), /not (loaded|delivered)/);
});

t.test('a session whose agent never has the game that it got is given up', async t => {
  const sent: string[] = [];
  const ended: unknown[] = [];
  const state = { type: 'running' };
  const session = { id: 's', rom: 'http://game', launch: { kind: 'nes' }, state } as unknown as Session;
  const live = new LiveSession(session);
  const path = t.testdir({ game: 'the game' }) + '/game';
  const sha256 = createHash('sha256').update('the game').digest('hex');
  const answer = () => Object.assign(new PassThrough(), { statusCode: 204, headers: {} });
  const http = { send: async ({ path }: AgentRequest) => (sent.push(path), answer()) };
  live.connection = { http, waitsFor: () => undefined } as unknown as Connection;
  const loader = new RomLoader(
    {
      library: { get: async () => ({ path, name: 'game', bytes: 8, sha256 }) } as unknown as RomLibrary,
      terminator: { end: async (id, end) => ended.push([id, end.reason]) > 0 },
      log: createLogger('silent'),
    },
    [1, 2, 3],
  );
  for (let link = 1; link <= 4; link++) {
    for (let i = 0; i < 3; i++) loader.wanted(live, link);
    await until(`it got it on link ${link}`, () => sent.length === link);
  }
  t.same(ended, []);
  await until('it is given up', () => (loader.wanted(live, 5), ended.length > 0));
  t.same([ended[0], sent.length], [['s', 'failed'], 4]);
});

t.test('what an agent answers besides is not read', async t => {
  let written = 0;
  let isClosed = false;
  const { agent } = await consoleOf(t, (request, response) => {
    response.once('close', () => (isClosed = true));
    response.on('error', () => undefined);
    response.writeHead(400);
    const chunk = Buffer.alloc(1 << 16);
    const write = () => {
      if (isClosed || written > 1 << 30) return;
      written += chunk.length;
      if (response.write(chunk)) setImmediate(write);
      else response.once('drain', write);
    };
    request.resume().once('end', write);
  });
  agent.tell(WANTS);
  await until('its connection is closed', () => isClosed);
  t.ok(written < 32 << 20, `after ${written} bytes`);
});
