import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { ValueCipher } from '../secrets/index.js';
import type { Database } from './database.js';
import type { Read, Reads } from './reads.js';

const TABLE = 'outbox';
/** 132 bits. */
const HASH_LENGTH = 22;

/** A request to an integrator that is retried until it is answered. Times are UTC milliseconds. */
export interface OutboxItem {
  /** Sent as the idempotency key. */
  id: string;
  sessionId: string;
  /** A warning is dropped when its session ends. */
  event: 'warning' | 'timeout';
  url: string;
  bearer: string | null;
  /** Signs it; null: the service's own secrets do. */
  secret: string | null;
  body: string;
  createdAt: number;
  nextAt: number;
  /** Attempts started so far. */
  attempts: number;
}

/** The item of an origin that is due first. */
export interface FirstDue {
  /** Stands for scheme, host and port of the receiver, which it does not reveal. */
  origin: string;
  id: string;
  nextAt: number;
  /** Attempts started so far. */
  attempts: number;
}

/** The columns of an item that hold its receiver. */
export interface ReceiverColumns {
  id: string;
  /** Address, bearer and secret, encrypted; null in rows of older versions. */
  sealed: string | null;
  /** Empty if they are encrypted. */
  url: string;
  bearer: string | null;
  /** A hash; empty in rows of older versions. */
  origin: string;
}

interface OutboxRow extends ReceiverColumns {
  session_id: string;
  event: OutboxItem['event'];
  body: string;
  created_at: number;
  next_at: number;
  attempts: number;
}

/**
 * Finds each origin by one step in the index, however many items it has: those of one do not stand in the way of
 * others.
 */
const FIRST_OF_EACH_ORIGIN = `
  with recursive origins (origin) as (
    select min(origin) from ${TABLE}
    union all
    select (select min(origin) from ${TABLE} where ${TABLE}.origin > origins.origin)
    from origins where origins.origin is not null
  )
  select origin, ${['id', 'next_at', 'attempts']
    .map(
      column =>
        `(select ${column} from ${TABLE} where ${TABLE}.origin = origins.origin order by next_at, id limit 1) as ${column}`,
    )
    .join(', ')}
  from origins where origin is not null`;

/** Requests not delivered yet. */
export class OutboxStore {
  readonly #database: Database;
  readonly #cipher: ValueCipher;
  readonly #firsts: Read<Pick<OutboxRow, 'origin' | 'id' | 'next_at' | 'attempts'>>;

  constructor(database: Database, reads: Reads, cipher: ValueCipher) {
    this.#database = database;
    this.#cipher = cipher;
    this.#firsts = reads.prepare(FIRST_OF_EACH_ORIGIN);
  }

  /**
   * Adds an item unless it exists, in the transaction of the change it reports, if there is one. A warning is added only
   * while its session lives.
   */
  async add(item: OutboxItem, trx?: Knex.Transaction): Promise<void> {
    if (item.event !== 'warning') return this.#insert(item, trx ?? this.#database);
    await this.#database.transaction(async change => {
      // Until this is done, the session cannot end, which removes its warnings.
      const live = await change('sessions')
        .where({ id: item.sessionId })
        .whereNull('ended_at')
        .forShare()
        .first<{ id: string } | undefined>('id');
      if (live !== undefined) await this.#insert(item, change);
    });
  }

  async #insert(item: OutboxItem, database: Database): Promise<void> {
    const row: OutboxRow = {
      ...encryptReceiver(item, this.#cipher),
      session_id: item.sessionId,
      event: item.event,
      body: item.body,
      created_at: item.createdAt,
      next_at: item.nextAt,
      attempts: item.attempts,
    };
    await database<OutboxRow>(TABLE).insert(row).onConflict('id').ignore();
  }

  /** The item of each origin that is due first, now or later. */
  async firsts(): Promise<FirstDue[]> {
    const rows = await this.#firsts();
    return rows.map(({ next_at: nextAt, origin, id, attempts }) => ({ origin, id, nextAt, attempts }));
  }

  /** Those of these items that are due at `now`. */
  async due(ids: readonly string[], now: number): Promise<OutboxItem[]> {
    const rows = await this.#rows().whereIn('id', ids).where('next_at', '<=', now);
    return rows.map(row => ({
      id: row.id,
      sessionId: row.session_id,
      event: row.event,
      ...decryptReceiver(row, this.#cipher),
      body: row.body,
      createdAt: row.created_at,
      nextAt: row.next_at,
      attempts: row.attempts,
    }));
  }

  /** Claims an attempt at an item until `until`, after which it is due again; true for exactly one caller. */
  async claim(item: OutboxItem, until: number): Promise<boolean> {
    const changes = { next_at: until, attempts: item.attempts + 1 };
    return (
      (await this.#rows().where({ id: item.id, attempts: item.attempts, next_at: item.nextAt }).update(changes)) === 1
    );
  }

  async postpone(id: string, nextAt: number): Promise<void> {
    await this.#rows().where({ id }).update({ next_at: nextAt });
  }

  async remove(id: string): Promise<void> {
    await this.#rows().where({ id }).delete();
  }

  /** Removes the warnings of a session, in the transaction that ends it. */
  async removeWarnings(sessionId: string, trx: Knex.Transaction): Promise<void> {
    await trx<OutboxRow>(TABLE).where({ session_id: sessionId, event: 'warning' }).delete();
  }

  /** Removes the items for an origin that were created before `time`, and returns them. */
  async removeOlder(origin: string, time: number): Promise<Pick<OutboxItem, 'id' | 'sessionId'>[]> {
    const older = this.#rows().where({ origin }).where('created_at', '<', time);
    const rows = await older.clone().select('id', 'session_id');
    await older.delete();
    return rows.map(({ id, session_id: sessionId }) => ({ id, sessionId }));
  }

  async size(): Promise<number> {
    const [row] = await this.#database(TABLE).count({ size: '*' });
    return Number(row?.['size'] ?? 0);
  }

  #rows() {
    return this.#database<OutboxRow>(TABLE);
  }
}

type Receiver = Pick<OutboxItem, 'url' | 'bearer' | 'secret'>;

const placeOf = (id: string) => `outbox/${id}/sealed`;

function encryptReceiver({ id, url, bearer, secret }: Receiver & { id: string }, cipher: ValueCipher): ReceiverColumns {
  const sealed = cipher.encrypt(JSON.stringify({ url, bearer, secret } satisfies Receiver), placeOf(id));
  return { id, sealed, url: '', bearer: null, origin: hashOf(new URL(url).origin) };
}

const hashOf = (origin: string) => createHash('sha256').update(origin).digest('base64url').slice(0, HASH_LENGTH);

/** The receiver; without an address if the secret it was encrypted under was removed. */
function decryptReceiver({ id, sealed, url, bearer }: Omit<ReceiverColumns, 'origin'>, cipher: ValueCipher): Receiver {
  const opened = sealed === null ? null : cipher.decrypt(sealed, placeOf(id));
  // Older versions had no webhook secrets.
  return { url, bearer, secret: null, ...(opened === null ? {} : (JSON.parse(opened) as Partial<Receiver>)) };
}

/** The columns to be stored; null if they are up to date, or cannot be decrypted. */
export function reencryptReceiver(row: ReceiverColumns, cipher: ValueCipher): ReceiverColumns | null {
  if (row.sealed?.startsWith(cipher.newestPrefix) && row.origin !== '') return null;
  const receiver = decryptReceiver(row, cipher);
  return receiver.url === '' ? null : encryptReceiver({ id: row.id, ...receiver }, cipher);
}
