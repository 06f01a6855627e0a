import { join } from 'node:path';
import knex from 'knex';
import t from 'tap';
import { EngineError } from '../../../src/server/engines/index.js';
import { serveInProcess } from '../../fixtures/services/in-process.js';

t.test("a start that fails in the engine says why, even if the container's end is reported first", async t => {
  const { api, engine } = await serveInProcess(t);
  engine.hold = async (_signal, sessionId) => {
    // What a failed start has made is removed, and that is an event of its own.
    engine.events?.exited(sessionId, { type: 'removed', at: Date.now() });
    throw new EngineError('unfit', 'The engine lacks the graphics card.');
  };
  const response = await api('POST', '/v0/vm');
  const { code, message } = (await response.json()) as Record<string, unknown>;
  t.same([response.status, code, message], [502, 'start_failed', 'The engine lacks the graphics card.']);
});

t.test('a start that cannot even be given up is over: the service can stop', async t => {
  const dataDir = t.testdir();
  const { api, service } = await serveInProcess(t, { BERTH_DATA_DIR: dataDir });
  const filename = join(dataDir, 'berth.sqlite');
  const database = knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
  t.teardown(() => database.destroy());
  for (const table of ['sessions', 'android_devices']) await database.schema.renameTable(table, `${table}_gone`);
  t.equal((await api('POST', '/v0/vm')).status, 500);
  for (const table of ['sessions', 'android_devices']) await database.schema.renameTable(`${table}_gone`, table);
  await service.stop();
  t.pass('it does');
});
