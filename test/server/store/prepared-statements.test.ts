import sqlite3 from 'sqlite3';
import t, { type Test } from 'tap';
import { keepStatements } from '../../../src/server/store/prepared-statements.js';

/** A connection that keeps its statements, as promises. */
function connect(t: Test) {
  const database = new sqlite3.Database(':memory:');
  keepStatements(database);
  const close = () =>
    new Promise<void>((resolve, reject) => database.close(error => (error === null ? resolve() : reject(error))));
  const all = (sql: string, values: unknown[] = []) =>
    new Promise<unknown[]>((resolve, reject) => {
      database.all(sql, values, (error, rows) => (error === null ? resolve(rows) : reject(error)));
    });
  t.teardown(close);
  return all;
}

t.test('a statement that is used again sees new values, new rows and new columns', async t => {
  const all = connect(t);
  await all('create table a (b)');
  for (const b of [1, 2]) await all('insert into a values (?)', [b]);
  t.same(await all('select * from a where b > ?', [1]), [{ b: 2 }]);
  await all('alter table a add column c');
  t.same(await all('select * from a where b > ?', [0]), [
    { b: 1, c: null },
    { b: 2, c: null },
  ]);
});

t.test('one statement can be in use several times at once', async t => {
  const all = connect(t);
  const values = Array.from({ length: 20 }, (_, value) => value);
  for (let round = 0; round < 2; round++)
    t.same(
      await Promise.all(values.map(value => all('select ? as value', [value]))),
      values.map(value => [{ value }]),
    );
});

t.test('a statement that failed works once its cause is gone', async t => {
  const all = connect(t);
  await t.rejects(all('select * from a'), { code: 'SQLITE_ERROR' });
  await all('create table a (b unique)');
  t.same(await all('select * from a'), []);
  await all('insert into a values (?)', [1]);
  await t.rejects(all('insert into a values (?)', [1]), { code: 'SQLITE_CONSTRAINT' });
  await all('insert into a values (?)', [2]);
  t.same(await all('select * from a'), [{ b: 1 }, { b: 2 }]);
});

t.test('more statements than are kept all work', async t => {
  const all = connect(t);
  const lengths = Array.from({ length: 150 }, (_, index) => index + 1);
  const answers = lengths.map(length =>
    all(
      `select ${'?,'.repeat(length)} 1 as last`,
      Array.from({ length }, () => 0),
    ),
  );
  t.ok((await Promise.all(answers)).every(rows => rows.length === 1));
});
