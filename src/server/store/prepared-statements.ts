import type { Database, Statement } from 'sqlite3';

/** Statements that a connection keeps at most; those with lists of values come in many lengths. */
const MAX_KEPT = 100;

/** Pragmas and changes of the schema act while they are prepared. */
const CAN_BE_KEPT = /^\s*(select|insert|update|delete|begin|commit)\b/i;

type Done = (this: Statement, error: Error | null, rows?: unknown[]) => void;
type Call = (sql: string, values: unknown[], done: Done) => unknown;
type Calls = Record<'all' | 'run', Call>;

/**
 * Lets a connection prepare each statement once: the driver prepares it for each use, on another thread, which takes
 * longer than most reads.
 */
export function keepStatements(connection: Database): void {
  /** By SQL, the one used longest ago first. A statement that is in use is not among them. */
  const idle = new Map<string, Statement>();
  const once = { all: connection.all.bind(connection), run: connection.run.bind(connection) } as Calls;
  const close = connection.close.bind(connection);

  const keep = (sql: string, statement: Statement) => {
    idle.get(sql)?.finalize();
    idle.delete(sql);
    idle.set(sql, statement);
    const [oldest] = idle.keys();
    if (idle.size <= MAX_KEPT || oldest === undefined) return;
    idle.get(oldest)?.finalize();
    idle.delete(oldest);
  };
  const call =
    (method: keyof Calls): Call =>
    (sql, values, done) => {
      if (!CAN_BE_KEPT.test(sql)) return once[method](sql, values, done);
      // What waits for a statement that cannot be prepared is dropped by the driver.
      const statement: Statement =
        idle.get(sql) ??
        connection.prepare(sql, (error: Error | null) => error !== null && done.call(statement, error));
      idle.delete(sql);
      return statement[method](values, (error: Error | null, rows?: unknown[]) => {
        if (error === null) keep(sql, statement);
        else statement.finalize();
        done.call(statement, error, rows);
      });
    };
  Object.assign(connection, {
    all: call('all'),
    run: call('run'),
    close(done?: (error: Error | null) => void) {
      for (const statement of idle.values()) statement.finalize();
      idle.clear();
      close(done);
    },
  });
}
