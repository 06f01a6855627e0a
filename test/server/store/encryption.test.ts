import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import knexModule, { type Knex } from 'knex';
import t, { type Test } from 'tap';
import type { Launch } from '../../../src/protocol/generated/schemas.js';
import { Keyring } from '../../../src/server/secrets/keyring.js';
import { ValueCipher } from '../../../src/server/secrets/value-cipher.js';
import { Tokens } from '../../../src/server/model/tokens.js';
import { openDatabase } from '../../../src/server/store/database.js';
import { reencrypt } from '../../../src/server/store/reencryption.js';
import { RowSecrets } from '../../../src/server/store/row-secrets.js';
import { Store } from '../../../src/server/store/store.js';
import { makeSession } from '../../fixtures/services/session-rows.js';

const lease = { owner: 'me', until: Date.now() + 60_000 };
const [OLD, NEW] = ['the-old-secret-of-this-test-'.padEnd(40, 'o'), 'the-new-secret-of-this-test-'.padEnd(40, 'n')];
const [old, both, fresh] = [new Keyring(OLD), new Keyring(NEW, OLD), new Keyring(NEW)];

const launch: Launch = {
  type: 'launch',
  kind: 'chromium',
  display: { width: 1280, height: 720, fps: 24, max_area: 2073600, quality: 'smooth', hide_cursor: false },
  chromium: {
    start_url: 'https://start.example/?SECRET-start',
    kiosk: true,
    webgl: false,
    dark: false,
    http_proxy: { pac: 'http://proxy.example', username: 'SECRET-user', password: 'SECRET-password' },
  },
};
const secrets = {
  launch,
  auth: {
    type: 'webhook',
    url: 'https://auth.example/?SECRET-auth',
    bearer: 'SECRET-participant',
    secret: 'SECRET-asking',
  },
  rom: 'https://roms.example/?SECRET-rom',
  webhook: { url: 'https://hook.example/?SECRET-hook', bearer: 'SECRET-timeout', secret: 'SECRET-signing' },
} as const;
const item = {
  id: 'an-item',
  sessionId: 'session',
  event: 'timeout' as const,
  ...secrets.webhook,
  body: '{}',
  createdAt: 1,
  nextAt: 1,
  attempts: 0,
};

/** A database, and what is in its files. */
function database(t: Test) {
  const folder = t.testdir({});
  const filename = join(folder, 'berth.sqlite');
  return {
    filename,
    open: async (keyring: Keyring) => {
      const store = await Store.open({ client: 'sqlite', filename }, keyring);
      t.teardown(() => store.close());
      return store;
    },
    content: async () =>
      (await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'latin1')))).join(''),
    raw: async <T>(work: (knex: Knex) => Promise<T>): Promise<T> => {
      const knex = knexModule.knex({ client: 'sqlite3', connection: { filename }, useNullAsDefault: true });
      return work(knex).finally(() => knex.destroy());
    },
  };
}

t.test('an encrypted value can be decrypted with its secret and in its place only, unchanged', async t => {
  const cipher = new ValueCipher(both);
  const sealed = cipher.encrypt('straße', 'table/row/column');
  t.equal(cipher.decrypt(sealed, 'table/row/column'), 'straße');
  t.not(cipher.encrypt('straße', 'table/row/column'), sealed);
  t.equal(cipher.decrypt(sealed, 'table/another/column'), null);
  t.equal(new ValueCipher(old).decrypt(sealed, 'table/row/column'), null);
  t.equal(cipher.decrypt(new ValueCipher(old).encrypt('a', 'b'), 'b'), 'a');
  const [id = '', content = ''] = sealed.split('.');
  const bytes = Buffer.from(content, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    t.equal(cipher.decrypt(`${id}.${changed.toString('base64url')}`, 'table/row/column'), null, `byte ${at}`);
  }
  for (const broken of ['', '.', id, `${id}.`, `${id}.${content.slice(0, 30)}`, `nobody.${content}`])
    t.equal(cipher.decrypt(broken, 'table/row/column'), null, broken);
});

t.test(
  'what older versions stored in plain text still works, and is encrypted or dropped when the store is opened',
  async t => {
    const { open, content, raw } = database(t);
    const first = await open(old);
    const [live, ended] = [makeSession({ ...secrets, tokens: new Tokens(old).fresh }), makeSession(secrets)];
    for (const session of [live, ended]) await first.sessions.insert(session, lease, 10);
    await first.end(ended.id, { reason: 'request' }, 5, () => null);
    await first.outbox.add(item);
    await first.close();
    await raw(async knex => {
      await knex('sessions').update({
        sealed: null,
        tokens: null,
        launch: JSON.stringify(secrets.launch),
        auth: JSON.stringify(secrets.auth),
        rom: secrets.rom,
        webhook_url: secrets.webhook.url,
        webhook_bearer: secrets.webhook.bearer,
      });
      await knex('outbox').update({ sealed: null, url: item.url, bearer: item.bearer, origin: '' });
    });
    t.match(await content(), /SECRET-password/);

    const store = await open(both);
    // They had no secrets of webhooks.
    const found = { ...live, webhook: { ...secrets.webhook, secret: null } };
    t.same(await store.sessions.find(live.id), found, 'its tokens are those of the oldest secret');
    t.same(await store.outbox.due([item.id], 10), [{ ...item, secret: null }]);
    t.not((await store.outbox.firsts())[0]?.origin, '');
    t.match(await store.sessions.find(ended.id), { state: { type: 'ended' }, rom: null, webhook: null });
    t.notMatch(await content(), /SECRET-/);
  },
);

t.test('opening the store re-encrypts live rows with the newest secret', async t => {
  const { open, raw } = database(t);
  const session = makeSession({ ...secrets, tokens: new Tokens(old).fresh });
  const first = await open(old);
  await first.sessions.insert(session, lease, 10);
  await first.outbox.add(item);
  await first.close();
  await (await open(both)).close();
  const store = await open(fresh);
  t.same(await store.sessions.find(session.id), session);
  t.same(await store.outbox.due([item.id], 10), [item]);
  t.notMatch(JSON.stringify(await raw(knex => knex('sessions'))), /SECRET-/);
});

t.test('tokens that another replica renews while rows are re-encrypted stay renewed', async t => {
  const { open, filename } = database(t);
  const session = makeSession({ ...secrets, tokens: new Tokens(old).fresh });
  const replica = await open(old);
  await replica.sessions.insert(session, lease, 10);
  const renewed = { ...session.tokens, embed: { ...session.tokens.embed, generation: 1 } };
  const opened = await openDatabase({ client: 'sqlite', filename });
  t.teardown(() => opened.destroy());
  // Its writes come after the renewal, its reads before.
  const slow = new Proxy(opened, {
    apply(target, self, args) {
      const query = Reflect.apply(target, self, args) as { update: (columns: object) => Promise<unknown> };
      const update = query.update.bind(query);
      query.update = async columns => {
        await replica.sessions.replaceTokens(session.id, session.tokens, renewed);
        return update(columns);
      };
      return query;
    },
  });
  await reencrypt(slow, new RowSecrets(both), new ValueCipher(both));
  t.same((await replica.sessions.find(session.id))?.tokens, renewed);
  const withNewestOnly = await open(fresh);
  t.match(await withNewestOnly.sessions.find(session.id), { launch }, 'and its secrets are re-encrypted');
});

t.test('a session whose secret was removed admits nobody, and disturbs no other', async t => {
  const { open } = database(t);
  const first = await open(old);
  const [lost, kept] = [makeSession(secrets), makeSession()];
  await first.sessions.insert(lost, lease, 10);
  await first.outbox.add(item);
  await first.close();
  const store = await open(fresh);
  await store.sessions.insert(kept, lease, 10);
  t.equal((await store.sessions.live()).length, 2);
  t.match(await store.sessions.find(lost.id), { auth: { type: 'webhook', url: '' }, webhook: null, rom: null });
  t.match(await store.outbox.due([item.id], 10), [{ url: '', bearer: null }]);
});

t.test('whoever ends a session gets its secrets, and its row keeps none', async t => {
  const { open, raw } = database(t);
  const store = await open(old);
  const session = makeSession(secrets);
  await store.sessions.insert(session, lease, 10);
  t.match(await store.end(session.id, { reason: 'offline' }, 5, () => null), secrets);
  const [row] = await raw(knex => knex('sessions'));
  t.match(row, { sealed: null, rom: null, webhook_url: null, webhook_bearer: null, auth: /"url":""/ });
  t.notMatch(row.launch, /proxy|start/);
  t.match(await store.sessions.find(session.id), { launch: { kind: 'chromium', chromium: { kiosk: true } } });
});

t.test('database errors contain neither statement nor values', async t => {
  const { open, raw } = database(t);
  const store = await open(old);
  await raw(knex =>
    knex.raw("create trigger fault before insert on sessions begin select raise(abort, 'on purpose'); end"),
  );
  const error = (await store.sessions
    .insert(makeSession({ tenantId: 'a-tenant', ...secrets }), lease, 10)
    .catch((reason: unknown) => reason)) as Error;
  t.match(error, {
    name: 'StoreError',
    code: 'SQLITE_CONSTRAINT',
    message: 'The database failed at insert: SQLITE_CONSTRAINT: on purpose.',
  });
  const everything = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join();
  t.notMatch(everything, /a-tenant|SECRET-|insert into/);
});
