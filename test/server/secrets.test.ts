import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import knexModule, { type Knex } from 'knex';
import t, { type Test } from 'tap';
import { serveInProcess, type InProcess } from '../fixtures/services/in-process.js';
import { webhookReceiver } from '../fixtures/services/webhook-receiver.js';
import { until } from '../fixtures/until.js';

/** Everything in a start request that nobody but its receiver may learn. */
const SECRETS = {
  proxyUser: 'proxy-user-7c1e',
  proxyPassword: 'proxy-password-83fa',
  startToken: 'start-url-token-11d2',
  authBearer: 'participant-bearer-5e90',
  authQuery: 'participant-query-0b37',
  timeoutBearer: 'timeout-bearer-c44d',
  timeoutQuery: 'timeout-query-9a6b',
  authSecret: 'whsec_cGFydGljaXBhbnQtc2lnbmluZy1rZXktNGYxOS0wMDA=',
  timeoutSecret: 'whsec_dGltZW91dC1zaWduaW5nLWtleS03N2MyLTAwMDAwMDA=',
  searchKey: 'search-key-2f08',
  romSignature: 'rom-signature-d7e5',
};

async function database(t: Test, dataDir: string): Promise<Knex> {
  const filename = join(dataDir, 'berth.sqlite');
  const knex = knexModule.knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
  t.teardown(() => knex.destroy());
  return knex;
}

/** Lets every writing of this kind to a table fail while `work` is done. */
async function failing(knex: Knex, table: string, kind: string, work: () => Promise<unknown>): Promise<void> {
  await knex.raw(`create trigger fault before ${kind} on ${table} begin select raise(abort, 'on purpose'); end`);
  await work();
  await knex.raw('drop trigger fault');
}

/** Asserts that neither files nor log hold one of the secrets. */
async function hidden(t: Test, dataDir: string, service: InProcess, when: string): Promise<void> {
  const files = (await readdir(dataDir)).filter(name => name.startsWith('berth.sqlite'));
  t.ok(files.includes('berth.sqlite-wal'), `${when}: the journal is looked at too`);
  const places = new Map([['log', service.log()]]);
  for (const file of files) places.set(file, await readFile(join(dataDir, file), 'latin1'));
  for (const [name, secret] of Object.entries(SECRETS)) {
    for (const [place, content] of places) t.notOk(content.includes(secret), `${when}: ${name} is not in ${place}`);
  }
}

const chromium = (hook: string) => ({
  start_url: `https://intranet.example/?token=${SECRETS.startToken}`,
  http_proxy: { pac: 'http://proxy.example/pac', username: SECRETS.proxyUser, password: SECRETS.proxyPassword },
  search_engine: {
    name: 'Own',
    keyword: 'own',
    url: `https://search.example/?key=${SECRETS.searchKey}&q={searchTerms}`,
  },
  auth: {
    type: 'webhook',
    value: {
      url: `http://127.0.0.1:9/ask?key=${SECRETS.authQuery}`,
      bearer: SECRETS.authBearer,
      secret: SECRETS.authSecret,
    },
  },
  timeout: {
    absolute: 3,
    warning: 1,
    webhook: {
      url: `${hook}?key=${SECRETS.timeoutQuery}`,
      bearer: SECRETS.timeoutBearer,
      secret: SECRETS.timeoutSecret,
    },
  },
});

const game = {
  type: 'nes',
  room_url: `http://games.example/game.nes?signature=${SECRETS.romSignature}`,
};

t.test('no secret of a request appears in the log or the database, whatever fails on the way', async t => {
  const dataDir = t.testdir({});
  // Delivered at the third try only, so that the outbox is looked at too.
  const receiver = await webhookReceiver(t, 500, 500, 204);
  const service = await serveInProcess(t, { BERTH_DATA_DIR: dataDir, BERTH_LOG_LEVEL: 'trace' });
  const knex = await database(t, dataDir);
  const start = async (path: string, body: object) => {
    const answer = await service.api('POST', path, body);
    const text = await answer.text();
    for (const secret of Object.values(SECRETS)) t.notOk(text.includes(secret), `the answer repeats no secret`);
    return { status: answer.status, body: JSON.parse(text) as Record<string, string> };
  };
  for (const [path, body] of [
    ['/v0/vm', chromium(receiver.url)],
    ['/console', game],
  ] as const) {
    await failing(knex, 'sessions', 'insert', async () => t.equal((await start(path, body)).status, 500, 'insert'));
    await failing(knex, 'sessions', 'update', async () => t.ok((await start(path, body)).status >= 500, 'update'));
  }
  await hidden(t, dataDir, service, 'after starts that failed');

  const [browser, console_] = [await start('/v0/vm', chromium(receiver.url)), await start('/console', game)];
  t.same([browser.status, console_.status], [201, 201]);
  await hidden(t, dataDir, service, 'while they run');
  await failing(knex, 'outbox', 'insert', async () => {
    await until('a warning that could not be kept', () => service.log().includes('timeout not enforced'));
  });
  await until('an event that waits', async () => receiver.received.length > 0);
  await hidden(t, dataDir, service, 'while an event waits');
  await until(
    'the end',
    async () => (await knex('sessions').whereNotNull('ended_at').where({ kind: 'chromium' })).length > 0,
  );
  await failing(knex, 'sessions', 'update', async () => {
    const id = console_.body['session_id'] ?? '';
    t.ok((await service.api('DELETE', `/v0/vm/${id}`)).status >= 500);
    t.equal((await service.api('DELETE', `/v0/vm/${id}`)).status >= 500, true);
  });
  await service.api('DELETE', `/v0/vm/${console_.body['session_id']}`);
  await until('all is delivered', async () => (await knex('outbox')).length === 0);
  t.ok(receiver.received.every(({ headers }) => headers.authorization === `Bearer ${SECRETS.timeoutBearer}`));
  t.ok(receiver.received.length >= 3);
  await hidden(t, dataDir, service, 'after their end');
  const rows = await knex('sessions').whereIn(
    'id',
    [browser, console_].map(({ body }) => body['session_id'] ?? ''),
  );
  t.equal(rows.length, 2);
  t.ok(
    rows.every(row => row.ended_at !== null && row.sealed === null),
    'what was sealed goes with the session',
  );
  t.ok(service.log().includes('on purpose'), 'what the database said is logged');
});

t.test("the data folder and its content are accessible to the service's user only", async t => {
  const dataDir = t.testdir({ secret: `${'s'.repeat(64)}\n`, 'berth.sqlite': '' });
  await chmod(dataDir, 0o755);
  await serveInProcess(t, { BERTH_DATA_DIR: dataDir });
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  t.equal(await mode(dataDir), '700');
  for (const name of ['berth.sqlite', 'berth.sqlite-wal', 'berth.sqlite-shm', 'secret', 'replica']) {
    t.equal(await mode(join(dataDir, name)), '600', name);
  }
});
