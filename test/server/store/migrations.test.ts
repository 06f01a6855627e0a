import t from 'tap';
import { openDatabase } from '../../../src/server/store/database.js';
import { migrations } from '../../../src/server/store/migrations.js';

const source = { migrationSource: migrations };

t.test('usage and profiles of older versions are kept', async t => {
  const database = await openDatabase({ client: 'sqlite', filename: ':memory:' });
  t.teardown(() => database.destroy());
  while (await database.schema.hasColumn('profiles', 'tenant_id')) await database.migrate.down(source);
  t.notOk(await database.schema.hasTable('usage_by_kind'));
  const before = [
    { tenant_id: '', date: '2026-01-01', ms: 1000 },
    { tenant_id: 'a', date: '2026-01-01', ms: 2000 },
    { tenant_id: 'a', date: '2026-01-02', ms: 3000 },
  ];
  await database('usage').insert(before);
  await database('profiles').insert([
    { id: 'one', kind: 'chromium', saved_at: 2000, used_at: 3000, bytes: 10 },
    { id: 'two', kind: 'console', saved_at: 4000, used_at: 4000, bytes: 20 },
  ]);
  const session = {
    ...{ kind: 'chromium', state: 'ended', region: 'NA', launch: '{}', defaults: '{}', input_at: 0, owner: '' },
    lease_until: 0,
  };
  await database('sessions').insert([
    { ...session, id: 'first', created_at: 1000, profile_save: 'one', tenant_id: 'b' },
    { ...session, id: 'second', created_at: 2000, profile_save: 'one', tenant_id: 'a' },
  ]);

  await database.migrate.latest(source);
  t.same(await database('usage').orderBy(['tenant_id', 'date']), before, 'where replicas of older versions book');
  t.match(await database('profiles').orderBy('id'), [
    { id: 'one', tenant_id: 'a', created_at: 2000, saved_at: 2000 },
    { id: 'two', tenant_id: null, created_at: 4000 },
  ]);
  await database('usage_by_kind').insert([
    { tenant_id: 'a', kind: 'nes', date: '2026-01-01', ms: 500 },
    { tenant_id: 'a', kind: 'ps1', date: '2026-01-03', ms: 1 },
  ]);
  while (await database.schema.hasTable('usage_by_kind')) await database.migrate.down(source);
  t.same(await database('usage').where({ tenant_id: 'a', date: '2026-01-01' }), [
    { tenant_id: 'a', date: '2026-01-01', ms: 2500 },
  ]);
  t.equal((await database('usage')).length, 4);
});
