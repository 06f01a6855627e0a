import type { Knex } from 'knex';
import type { ValueCipher } from '../secrets/index.js';
import type { Database } from './database.js';

const TABLE = 'outbox';

/** A request to an integrator that is retried until it is answered. Times are UTC milliseconds. */
export interface OutboxItem {
  /** Sent as the idempotency key. */
  id: string;
  sessionId: string;
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

/** The columns of an item that hold its receiver. */
export interface ReceiverColumns {
  id: string;
  /** Address, bearer and secret, encrypted; null in rows of older versions. */
  sealed: string | null;
  /** Empty if they are encrypted. */
  url: string;
  bearer: string | null;
}

interface OutboxRow extends ReceiverColumns {
  session_id: string;
  body: string;
  created_at: number;
  next_at: number;
  attempts: number;
}

/** Requests not delivered yet. */
export class OutboxStore {
  readonly #database: Database;
  readonly #cipher: ValueCipher;

  constructor(database: Database, cipher: ValueCipher) {
    this.#database = database;
    this.#cipher = cipher;
  }

  /** Adds an item unless it exists, in the transaction of the change it reports, if there is one. */
  async add(item: OutboxItem, trx?: Knex.Transaction): Promise<void> {
    const row: OutboxRow = {
      ...encryptReceiver(item, this.#cipher),
      session_id: item.sessionId,
      body: item.body,
      created_at: item.createdAt,
      next_at: item.nextAt,
      attempts: item.attempts,
    };
    await (trx ?? this.#database)<OutboxRow>(TABLE).insert(row).onConflict('id').ignore();
  }

  /** Items due at `now`, oldest first. */
  async due(now: number, limit: number): Promise<OutboxItem[]> {
    const rows = await this.#rows().where('next_at', '<=', now).orderBy('next_at').limit(limit);
    return rows.map(row => ({
      id: row.id,
      sessionId: row.session_id,
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

  /** When the next item is due; null: none is. */
  async nextAt(): Promise<number | null> {
    const row = await this.#database(TABLE).min({ next: 'next_at' }).first();
    const next: unknown = row?.['next'];
    return next === null || next === undefined ? null : Number(next);
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
  return { id, sealed, url: '', bearer: null };
}

/** The receiver; without an address if the secret it was encrypted under was removed. */
function decryptReceiver({ id, sealed, url, bearer }: ReceiverColumns, cipher: ValueCipher): Receiver {
  const opened = sealed === null ? null : cipher.decrypt(sealed, placeOf(id));
  // Older versions had no webhook secrets.
  return { url, bearer, secret: null, ...(opened === null ? {} : (JSON.parse(opened) as Partial<Receiver>)) };
}

/** The columns to be stored; null if they are up to date, or cannot be decrypted. */
export function reencryptReceiver(row: ReceiverColumns, cipher: ValueCipher): ReceiverColumns | null {
  if (row.sealed?.startsWith(cipher.newestPrefix)) return null;
  const receiver = decryptReceiver(row, cipher);
  return receiver.url === '' ? null : encryptReceiver({ id: row.id, ...receiver }, cipher);
}
