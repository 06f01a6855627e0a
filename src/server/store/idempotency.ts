import { type IdempotencyKey, KEY_LIFE_MS } from '../model/index.js';
import type { Database } from './database.js';
import type { Read, Reads } from './reads.js';

const TABLE = 'idempotency_keys';

interface KeyRow {
  id: string;
  request: string;
  tenant_id: string | null;
  session_id: string;
  /** Whether the start made the session: with a tag it may have found it. SQLite: 0 or 1. */
  created: boolean | number;
  created_at: number;
}

/** What a start with a key came to. */
export interface KeptStart {
  /** Digest of its request. */
  request: string;
  sessionId: string;
  created: boolean;
}

/**
 * Idempotency keys and the sessions that starts with them came to. A key is written in the transaction that writes its
 * session, and goes with its row. Keys are kept for a day; those that are older count as absent.
 */
export class IdempotencyStore {
  readonly #database: Database;
  readonly #find: Read<KeyRow>;

  constructor(database: Database, reads: Reads) {
    this.#database = database;
    this.#find = reads.prepare(`select * from ${TABLE} where id = ? and created_at > ?`);
  }

  /** What a start with this key came to, if there was one; `now`: UTC milliseconds. */
  async find({ id }: IdempotencyKey, now: number): Promise<KeptStart | null> {
    const [row] = await this.#find(id, now - KEY_LIFE_MS);
    return row === undefined
      ? null
      : { request: row.request, sessionId: row.session_id, created: Boolean(row.created) };
  }

  /** Keeps that a start found a session; without effect if the key is known, or the session is not. */
  async found(key: IdempotencyKey, sessionId: string, now: number): Promise<void> {
    await this.#database.transaction(async trx => {
      // Writes first: SQLite does not let go of what was read.
      await dropOld(trx, key, now);
      const row = rowOf(key, { sessionId, created: false }, now);
      const columns = Object.keys(row) as (keyof KeyRow)[];
      const values = columns.map(column => `cast(? as ${TYPES[column] ?? 'text'})`).join(', ');
      await trx.raw(
        `insert into ${TABLE} (${columns.join(', ')}) select ${values} from sessions where id = ? on conflict do nothing`,
        [...columns.map(column => row[column]), sessionId],
      );
    });
  }

  /** Deletes the keys that are too old. Returns their number. */
  async forget(now: number): Promise<number> {
    return this.#database(TABLE)
      .where('created_at', '<=', now - KEY_LIFE_MS)
      .delete();
  }
}

/** Adds a key in a transaction; false if it is known. */
export async function addKey(
  trx: Database,
  key: IdempotencyKey,
  start: Omit<KeptStart, 'request'>,
  now: number,
): Promise<boolean> {
  await dropOld(trx, key, now);
  return (
    (
      await trx(TABLE)
        .insert(rowOf(key, start, now))
        .onConflict('id')
        .ignore()
        .returning('id')
    ).length > 0
  );
}

/** Forgets the keys of a session in the transaction that ends it: what failed is not kept. */
export async function dropKeys(trx: Database, sessionId: string): Promise<void> {
  await trx(TABLE).where({ session_id: sessionId }).delete();
}

/** The types of columns that are no text. */
const TYPES: Partial<Record<keyof KeyRow, string>> = { created: 'boolean', created_at: 'bigint' };

function rowOf(
  { id, request, tenantId }: IdempotencyKey,
  { sessionId, created }: Omit<KeptStart, 'request'>,
  now: number,
): KeyRow {
  return { id, request, tenant_id: tenantId, session_id: sessionId, created, created_at: now };
}

async function dropOld(trx: Database, { id }: IdempotencyKey, now: number): Promise<void> {
  await trx(TABLE)
    .where({ id })
    .where('created_at', '<=', now - KEY_LIFE_MS)
    .delete();
}
