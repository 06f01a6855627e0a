import type { Knex } from 'knex';
import { clock } from '../lib/clock.js';
import type { SessionEvent } from '../model/index.js';
import type { ValueCipher } from '../secrets/index.js';
import { encryptReceiver, type OutboxRow } from './outbox-row.js';

const TABLE = 'outbox';
/** Rows per statement: SQLite takes at most 500. */
const ROWS_AT_ONCE = 100;

/** When an item is due that waits for the one ahead of it: never by itself. */
export const HELD = Number.MAX_SAFE_INTEGER - 1;
/** When an item is due that has not happened yet. */
export const RESERVED = Number.MAX_SAFE_INTEGER;

/** An event, and its number, by which events of a session follow each other. */
interface Numbered {
  event: SessionEvent;
  seq: number;
}

/**
 * The events of sessions in the outbox: of each session one is due at a time, and the next one when that was accepted or
 * given up. All of it happens under the lock of the events.
 */
export class OutboxLanes {
  readonly #cipher: ValueCipher;

  constructor(cipher: ValueCipher) {
    this.#cipher = cipher;
  }

  /** Adds events that have a receiver, behind those that wait. @returns whether there are any */
  async add(trx: Knex.Transaction, events: readonly Numbered[]): Promise<boolean> {
    const sent = events.filter(({ event }) => event.to !== null);
    if (sent.length === 0) return false;
    const busy = await busyLanes(trx, [...new Set(sent.map(({ event }) => event.body.session_id))]);
    const now = clock.now();
    const rows = sent.map(({ event, seq }) => {
      const lane = event.body.session_id;
      const row = this.#row(event, busy.has(lane) ? HELD : now, seq);
      busy.add(lane);
      return row;
    });
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
      await outbox(trx)
        .insert(rows.slice(first, first + ROWS_AT_ONCE))
        .onConflict('id')
        .ignore();
    return true;
  }

  /** Keeps the receiver of an event that is yet to happen, if it has one. */
  async reserve(trx: Knex.Transaction, event: SessionEvent): Promise<void> {
    if (event.to !== null)
      await outbox(trx)
        .insert(this.#row(event, RESERVED, null))
        .onConflict('id')
        .ignore();
  }

  /** An event has happened: it is added if a receiver was kept for it. @returns whether that is so */
  async release(trx: Knex.Transaction, { event: { body }, seq }: Numbered): Promise<boolean> {
    const busy = await busyLanes(trx, [body.session_id]);
    const now = clock.now();
    const changes = {
      body: JSON.stringify(body),
      created_at: now,
      next_at: busy.size > 0 ? HELD : now,
      seq,
    };
    return (await reserved(trx, body.id).update(changes)) > 0;
  }

  /** An event will not happen. */
  async discard(trx: Knex.Transaction, { body }: SessionEvent): Promise<void> {
    await reserved(trx, body.id).delete();
  }

  #row(event: SessionEvent, nextAt: number, seq: number | null): OutboxRow {
    const { body, to } = event;
    if (to === null) throw new Error('The event has no receiver.');
    return {
      ...encryptReceiver({ id: body.id, url: to.url, bearer: to.bearer, secret: to.secret }, this.#cipher),
      session_id: body.session_id,
      event: 'lifecycle',
      body: JSON.stringify(body),
      created_at: clock.now(),
      next_at: nextAt,
      attempts: 0,
      seq,
    };
  }
}

const outbox = (trx: Knex.Transaction) => trx<OutboxRow>(TABLE);

const reserved = (trx: Knex.Transaction, id: string) => outbox(trx).where({ id, next_at: RESERVED });

/** The sessions of these that have events in the outbox. */
async function busyLanes(trx: Knex.Transaction, sessionIds: readonly string[]): Promise<Set<string>> {
  const rows = await outbox(trx)
    .whereIn('session_id', sessionIds)
    .where({ event: 'lifecycle' })
    .whereNot({ next_at: RESERVED })
    .distinct('session_id');
  return new Set(rows.map(row => row.session_id));
}

/** Lets the next event of these sessions come up, unless one is due already. */
export async function advance(trx: Knex.Transaction, sessionIds: readonly string[]): Promise<void> {
  for (const session_id of sessionIds) {
    const lane = outbox(trx).where({ session_id, event: 'lifecycle' });
    if ((await lane.clone().where('next_at', '<', HELD).first('id')) !== undefined) continue;
    const next = await lane.clone().where({ next_at: HELD }).orderBy('seq').first('id');
    if (next !== undefined) await outbox(trx).where({ id: next.id }).update({ next_at: clock.now() });
  }
}

/**
 * Lets the next event come up of each session that has none due: a replica of an older release, which knows no order,
 * has delivered the one before. @returns whether there was any
 */
export async function resumeStalled(trx: Knex.Transaction): Promise<boolean> {
  const due = outbox(trx).where({ event: 'lifecycle' }).where('next_at', '<', HELD).select('session_id');
  const stalled = await outbox(trx)
    .where({ event: 'lifecycle', next_at: HELD })
    .whereNotIn('session_id', due)
    .distinct('session_id');
  await advance(
    trx,
    stalled.map(row => row.session_id),
  );
  return stalled.length > 0;
}
