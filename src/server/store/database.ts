import { chmod } from 'node:fs/promises';
import knexModule, { type Knex } from 'knex';
import pg from 'pg';
import type { DatabaseConfig } from '../config.js';
import { migrations } from './migrations.js';

export type Database = Knex;

/**
 * Opens the store and brings its tables up to date.
 * @throws where the database cannot be opened or was made by a newer version
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  const database = knexModule.knex(
    config.client === 'sqlite' ? sqlite(config.filename) : postgres(config.url),
  );
  try {
    await database.migrate.latest({ migrationSource: migrations });
    if (config.client === 'sqlite' && config.filename !== ':memory:') await chmod(config.filename, 0o600);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
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
      // One connection for good: closing it would lose a database in memory.
      idleTimeoutMillis: 2 ** 31 - 1,
      afterCreate(
        connection: { exec(sql: string, done: (error: Error | null) => void): void },
        done: (error: Error | null) => void,
      ) {
        connection.exec(
          'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;',
          done,
        );
      },
    },
  };
}

function postgres(url: string): Knex.Config {
  // Times are 64-bit integers of milliseconds, which fit a double exactly.
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  return { client: 'pg', connection: url, pool: { min: 0, max: 10 } };
}

/**
 * Runs `work` in a transaction that no other one with the same name overlaps. SQLite has one writer anyway;
 * PostgreSQL takes an advisory lock.
 */
export function exclusively<T>(
  database: Database,
  lock: number,
  work: (trx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return database.transaction(async trx => {
    if (database.client.config.client === 'pg') await trx.raw('select pg_advisory_xact_lock(?)', [lock]);
    return work(trx);
  });
}

/** Reads in a transaction that sees one moment. */
export function snapshot<T>(database: Database, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  const isPostgres = database.client.config.client === 'pg';
  return database.transaction(work, isPostgres ? { isolationLevel: 'repeatable read', readOnly: true } : {});
}
