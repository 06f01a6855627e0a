import { chmod, open } from 'node:fs/promises';
import knexModule, { type Knex } from 'knex';
import type { Database as Connection } from 'sqlite3';
import type { DatabaseConfig } from '../config/index.js';
import { CLOSED, withoutStatement } from './errors.js';
import { migrations } from './migrations.js';
import { keepStatements } from './prepared-statements.js';

export type Database = Knex;

/**
 * Opens the database and migrates it to the current schema.
 * @throws if the database cannot be opened or was written by a newer version
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  if (config.client === 'sqlite' && config.filename !== ':memory:') await makePrivate(config.filename);
  const database = knexModule.knex({
    ...(config.client === 'sqlite' ? sqlite(config.filename) : await postgres(config.url)),
    compileSqlOnError: false,
    log: QUIET,
  });
  try {
    await database.migrate.latest({ migrationSource: migrations });
    return database;
  } catch (error) {
    await closeDatabase(database);
    throw withoutStatement(error);
  }
}

/** Closes the database. What asks for it from now on fails at once, where the pool would let it wait for a minute. */
export async function closeDatabase(database: Database): Promise<void> {
  const client = database.client as { acquireConnection: () => Promise<unknown> };
  client.acquireConnection = () =>
    Promise.reject(Object.assign(new Error('The database is closed.'), { code: CLOSED }));
  await database.destroy();
}

/** Every error is thrown as well; the logger would print it with its statement. */
const QUIET = { warn: () => {}, error: () => {}, deprecate: () => {}, debug: () => {} };

/** SQLite gives its auxiliary files the mode of the database. */
async function makePrivate(filename: string): Promise<void> {
  await (await open(filename, 'a', 0o600)).close();
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    await chmod(filename + suffix, 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

function sqlite(filename: string): Knex.Config {
  return {
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: {
      min: 1,
      max: 1,
      // A single permanent connection: closing it would lose an in-memory database.
      idleTimeoutMillis: 2 ** 31 - 1,
      afterCreate(connection: Connection, done: (error: Error | null) => void) {
        keepStatements(connection);
        connection.exec(
          'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; ' +
            'PRAGMA busy_timeout = 5000; PRAGMA secure_delete = ON;',
          done,
        );
      },
    },
  };
}

async function postgres(url: string): Promise<Knex.Config> {
  const { default: pg } = await import('pg');
  // Times are 64-bit integers of milliseconds, which fit a double exactly.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  return { client: 'pg', connection: url, pool: { min: 0, max: 10 } };
}

/**
 * Runs `work` in a transaction that excludes others with the same name. SQLite has one writer anyway; PostgreSQL takes
 * an advisory lock.
 */
export function exclusively<T>(
  database: Database,
  lock: number,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async trx => {
    await lockIn(trx, lock);
    return work(trx);
  });
}

/** The same for the rest of a transaction. */
export async function lockIn(trx: Knex.Transaction, lock: number): Promise<void> {
  if (clientOf(trx) === 'pg') await trx.raw('select pg_advisory_xact_lock(?)', [lock]);
}

/** The name of the driver for a database: `pg` or `sqlite3`. */
export function clientOf(database: Database): string {
  const { config } = database.client as { config: { client: string } };
  return config.client;
}
