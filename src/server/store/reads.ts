import type { Database as Connection, Statement } from 'sqlite3';
import type { DatabaseConfig } from '../config/index.js';
import type { Database } from './database.js';

/** A prepared read; takes the values of its placeholders in their order. */
export type Read<Row> = (...values: readonly (string | number)[]) => Promise<Row[]>;

/** Reads of committed data for frequent requests, beside the pool, which has a single connection to SQLite. */
export interface Reads {
  /** `sql`: a statement that only reads, with `?` for values. */
  prepare<Row>(sql: string): Read<Row>;
  close(): Promise<void>;
}

/** How long a read waits for another process that has locked the database, milliseconds. */
const BUSY_MS = 5000;

/** Opens the reads of an open database. */
export async function openReads(config: DatabaseConfig, database: Database): Promise<Reads> {
  // A second connection to an in-memory database would find another one.
  if (config.client === 'sqlite' && config.filename !== ':memory:') return openFile(config.filename);
  return {
    prepare:
      <Row>(sql: string) =>
      async (...values: readonly (string | number)[]) => {
        const answer = (await database.raw(sql, values)) as Row[] | { rows: Row[] };
        return Array.isArray(answer) ? answer : answer.rows;
      },
    close: async () => {},
  };
}

/** A connection of its own to a file. Its statements wait for each other in the driver, not in the event loop. */
async function openFile(filename: string): Promise<Reads> {
  const { default: sqlite3 } = await import('sqlite3');
  const connection = await new Promise<Connection>((resolve, reject) => {
    const opening: Connection = new sqlite3.Database(filename, sqlite3.OPEN_READONLY, error =>
      error === null ? resolve(opening) : reject(error),
    );
  });
  connection.configure('busyTimeout', BUSY_MS);
  const statements = new Set<Statement>();
  let closed: Promise<void> | undefined;
  return {
    prepare: <Row>(sql: string) => {
      let prepared: Promise<Statement> | undefined;
      return async (...values: readonly (string | number)[]) => {
        prepared ??= prepare(connection, sql);
        const statement = await prepared.catch((error: unknown) => {
          prepared = undefined;
          throw error;
        });
        statements.add(statement);
        return all<Row>(statement, values);
      };
    },
    close: () => (closed ??= close(connection, statements)),
  };
}

function prepare(connection: Connection, sql: string): Promise<Statement> {
  return new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error: Error | null) =>
      error === null ? resolve(statement) : reject(error),
    );
  });
}

function close(connection: Connection, statements: Iterable<Statement>): Promise<void> {
  // A statement that is not finalized would keep the connection open.
  for (const statement of statements) statement.finalize();
  return new Promise((resolve, reject) => {
    connection.close(error => (error === null ? resolve() : reject(error)));
  });
}

function all<Row>(statement: Statement, values: readonly (string | number)[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    statement.all<Row>(values, (error, rows) => (error === null ? resolve(rows) : reject(error)));
  });
}
