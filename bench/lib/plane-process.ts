/**
 * The service in a process of its own, with an engine that starts nothing, and logs in files as by default. Holds as
 * many running sessions and days of booked usage as told. Arguments: a folder, sessions, days.
 */
import { join } from 'node:path';
import { pino } from 'pino';
import { createLogger } from '../../src/server/lib/logger.js';
import { Store } from '../../src/server/store/index.js';
import { serveInProcess } from '../../test/fixtures/services/in-process.js';
import { keyring } from '../../test/fixtures/services/keyring.js';
import { makeSession } from '../../test/fixtures/services/session-rows.js';

const [, , folder = '', sessions = '1', days = '0'] = process.argv;
const database = join(folder, 'berth.sqlite');
await bookDays(Number(days));
const log = createLogger('info', pino.destination({ dest: join(folder, 'log'), sync: true }));
const env = {
  BERTH_DATABASE_URL: `sqlite:${database}`,
  BERTH_AUDIT_LOG: join(folder, 'audit'),
  BERTH_MAX_SESSIONS: '10000',
};
const service = await serveInProcess({ teardown: () => undefined }, env, { log });
const ids: string[] = [];
for (let i = 0; i < Number(sessions); i++) {
  const answer = await service.api('POST', '/v0/vm', { start_url: 'https://example.com/' });
  ids.push(((await answer.json()) as { session_id: string }).session_id);
}
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.send?.({ url: service.url, key: service.apiKey, id: ids[0], database });
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());

/** Books an hour for each of the last `count` days. */
async function bookDays(count: number): Promise<void> {
  const store = await Store.open({ client: 'sqlite', filename: database }, keyring);
  for (let day = 1; day <= count; day++) {
    const at = Date.now() - day * 86_400_000;
    const session = makeSession({ createdAt: at });
    await store.sessions.insert(session, { owner: 'bench', until: at }, 1);
    await store.sessions.markRunning(session, at);
    await store.end(session.id, { reason: 'request' }, at + 3_600_000, () => null);
  }
  await store.close();
}
