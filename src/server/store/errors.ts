/** Code of an error where all connections to the database stayed in use for too long. */
export const NO_CONNECTION = 'NO_CONNECTION';

/** What the drivers tell of an error. */
interface DriverError extends Error {
  code?: unknown;
  constraint?: unknown;
  table?: unknown;
  column?: unknown;
}

/** SQLite's own words name tables and columns only; what stands before them is the statement. */
const SQLITE_TEXT = /^(?:[^]* - )?(SQLITE_[A-Z]+: [^]*)$/;

/**
 * An error of the database without statement and values, of which some are secrets: what knex and the drivers throw
 * must not reach anybody who could log it or answer it.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** The driver's code, such as SQLITE_BUSY or 23505. */
  readonly code: string | undefined;

  /** `operation`: what was to be done. */
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

/** The error of an opening as it may be told: what has no code is no driver's, and says what is wrong with the database. */
export function withoutStatement(error: unknown): unknown {
  if (error instanceof StoreError || (error as { code?: unknown }).code === undefined) return error;
  return new StoreError(error, 'opening');
}

/** What talks to the database, so that it rejects with nothing but errors that may be logged. */
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
