/** Error code when all connections to the database stayed in use for too long. */
export const NO_CONNECTION = 'NO_CONNECTION';

/** Error code of what is asked of the database once it is being closed. */
export const CLOSED = 'CLOSED';

/** The fields of driver errors that are used. */
interface DriverError extends Error {
  code?: unknown;
  constraint?: unknown;
  table?: unknown;
  column?: unknown;
}

/** SQLite's own message names only tables and columns; what precedes it is the statement. */
const SQLITE_TEXT = /^(?:[^]* - )?(SQLITE_[A-Z]+: [^]*)$/;

/**
 * A database error without statement and values, some of which are secret: errors of knex and the drivers must not
 * reach code that might log or return them.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The driver's code, such as SQLITE_BUSY or 23505. */
  readonly code: string | undefined;

  /** `operation`: what was attempted. */
  constructor(error: unknown, operation: string) {
    const { name, code, stack } = (error ?? {}) as DriverError;
    const known = name === 'KnexTimeoutError' ? NO_CONNECTION : typeof code === 'string' ? code : undefined;
    super(`The database failed at ${operation}: ${describe(error as DriverError, known)}.`);
    this.code = known;
    this.stack = [`${this.name}: ${this.message}`, ...framesOf(stack)].join('\n');
  }
}

function describe(error: DriverError, code: string | undefined): string {
  if (code === undefined) return error.name;
  if (code.startsWith('SQLITE_')) return SQLITE_TEXT.exec(error.message)?.[1] ?? code;
  // PostgreSQL repeats values in its messages.
  const places = [error.constraint, error.table, error.column].filter(place => typeof place === 'string');
  return [code, ...places].join(' ');
}

const framesOf = (stack: string | undefined) => (stack ?? '').split('\n').filter(line => /^ {4}at /.test(line));

/**
 * A safe error for a failure to open: one without a code is not a driver's, and describes what is wrong with the
 * database.
 */
export function withoutStatement(error: unknown): unknown {
  if (error instanceof StoreError || (error as { code?: unknown }).code === undefined) return error;
  return new StoreError(error, 'opening');
}

/** Wraps database access so that it rejects only with errors that may be logged. */
export function guarded<T extends object>(target: T): T {
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw error instanceof StoreError ? error : new StoreError(error, String(property));
        });
      };
    },
  });
}
