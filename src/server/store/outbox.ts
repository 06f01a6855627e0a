import type { Knex } from 'knex';
import type { ValueCipher } from '../secrets/index.js';
import { type Database, exclusively } from './database.js';
import { EVENTS_LOCK } from './locks.js';
import { advance, RESERVED } from './outbox-lanes.js';
import { decryptReceiver, encryptReceiver, type OutboxRow } from './outbox-row.js';
import type { Read, Reads } from './reads.js';

const TABLE = 'outbox';

/** A request to an integrator that is retried until it is answered. Times are UTC milliseconds. */
export interface OutboxItem {
  /** Sent as the idempotency key. */
  id: string;
  sessionId: string;
  /** A warning is dropped when its session ends; of a session's lifecycle one event is due at a time. */
  event: 'warning' | 'timeout' | 'lifecycle';
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

/** An item about a timeout. */
export type TimeoutItem = OutboxItem & { event: 'warning' | 'timeout' };

/** The item of an origin that is due first. */
export interface FirstDue {
  /** Stands for scheme, host and port of the receiver, which it does not reveal. */
  origin: string;
  id: string;
  nextAt: number;
  /** Attempts started so far. */
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
  async add(item: TimeoutItem, trx?: Knex.Transaction): Promise<void> {
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
      seq: null,
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

  /** An item was accepted or given up. */
  async remove({ id, event, sessionId }: Pick<OutboxItem, 'id' | 'event' | 'sessionId'>): Promise<void> {
    if (event !== 'lifecycle') return void (await this.#rows().where({ id }).delete());
    await exclusively(this.#database, EVENTS_LOCK, async trx => {
      await trx<OutboxRow>(TABLE).where({ id }).delete();
      await advance(trx, [sessionId]);
    });
  }

  /** Removes the warnings of a session, in the transaction that ends it. */
  async removeWarnings(sessionId: string, trx: Knex.Transaction): Promise<void> {
    await trx<OutboxRow>(TABLE).where({ session_id: sessionId, event: 'warning' }).delete();
  }

  /** Removes the items for an origin that were created before `time`, and returns them. */
  async removeOlder(origin: string, time: number): Promise<Pick<OutboxItem, 'id' | 'sessionId'>[]> {
    const remove = async (database: Database, isLifecycle: boolean) => {
      const older = database<OutboxRow>(TABLE)
        .where({ origin })
        .where('created_at', '<', time)
        .where('next_at', '<', RESERVED)
        .where('event', isLifecycle ? '=' : '<>', 'lifecycle');
      const rows = await older.clone().select('id', 'session_id');
      await older.delete();
      return rows.map(({ id, session_id: sessionId }) => ({ id, sessionId }));
    };
    // Not in one transaction: who ends a session has locked its warnings when it waits for the events.
    const others = await remove(this.#database, false);
    const events = await exclusively(this.#database, EVENTS_LOCK, async trx => {
      const removed = await remove(trx, true);
      await advance(trx, [...new Set(removed.map(({ sessionId }) => sessionId))]);
      return removed;
    });
    return [...others, ...events];
  }

  /** Items that have happened and are not delivered. */
  async size(): Promise<number> {
    const [row] = await this.#rows().where('next_at', '<', RESERVED).count({ size: '*' });
    return Number(row?.['size'] ?? 0);
  }

  #rows() {
    return this.#database<OutboxRow>(TABLE);
  }
}
