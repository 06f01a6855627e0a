import type { Knex } from 'knex';
import type { LifecycleEventName } from '../../protocol/generated/schemas.js';
import { clock } from '../lib/clock.js';
import { type Ending, lifecycle, type Session, type SessionEvent } from '../model/index.js';
import { type Database, exclusively, lockIn } from './database.js';
import { EVENTS_LOCK as LOCK } from './locks.js';
import { resumeStalled, type OutboxLanes } from './outbox-lanes.js';
import type { Read, Reads } from './reads.js';

const TABLE = 'events';
const PRESENT = 'present_users';
/** Rows per statement: SQLite takes at most 500. */
const ROWS_AT_ONCE = 100;
/** Events that are deleted at once. */
const PRUNED_AT_ONCE = 5000;

/** What of a session its events need. */
type Of = Pick<Session, 'id' | 'tenantId' | 'events'>;

/** Which events are read. What is undefined lets all pass. */
export interface EventFilter {
  tenantId?: string | undefined;
  sessionId?: string | undefined;
  names?: readonly LifecycleEventName[] | undefined;
}

/** An event that is kept. */
export interface KeptEvent {
  /** Grows from one event to the next, with gaps. */
  seq: number;
  name: string;
  /** JSON. */
  body: string;
}

/** Which events are kept: those after `pruned`, up to `newest`, but for those that were erased with a tenant. */
export interface EventRange {
  pruned: number;
  newest: number;
}

/** What viewers of a session have done. */
export interface ViewerBatch {
  session: Of;
  /** When this process took the session over, whereupon nobody was there any more, UTC milliseconds; null: no news. */
  takenAt: number | null;
  /** In this order. */
  events: readonly SessionEvent[];
}

interface EventRow {
  seq: number;
  id: string;
  session_id: string;
  tenant_id: string | null;
  name: string;
  added_at: number;
  body: string;
}

interface PresentRow {
  session_id: string;
  user_id: string;
}

/** The events of sessions, in order. Each is kept once, however often it is added. */
export class EventStore {
  readonly #database: Database;
  readonly #reads: Reads;
  readonly #lanes: OutboxLanes;
  readonly #range: Read<{ pruned: number; erased: number; newest: number | null }>;
  /** By statement. */
  readonly #pages = new Map<string, Read<KeptEvent>>();
  #listener: (isSent: boolean) => void = () => undefined;

  constructor(database: Database, reads: Reads, lanes: OutboxLanes) {
    this.#database = database;
    this.#reads = reads;
    this.#lanes = lanes;
    this.#range = reads.prepare(
      `select pruned, erased, (select max(seq) from ${TABLE}) as newest from event_bounds where id = 1`,
    );
  }

  /** `listener` is called whenever this process has added events; `isSent`: some of them wait for a webhook. */
  listen(listener: (isSent: boolean) => void): void {
    this.#listener = listener;
  }

  /** The transaction of an `add` or `end` is done. */
  added(isSent: boolean): void {
    this.#listener(isSent);
  }

  /** Adds events, as the last step of the transaction of what they tell. @returns whether some wait for a webhook */
  async add(trx: Knex.Transaction, events: readonly SessionEvent[]): Promise<boolean> {
    await lockIn(trx, LOCK);
    return this.#lanes.add(trx, await this.#insert(trx, events));
  }

  /** Adds what tells that a session has ended at `at`, as `add` does. It has the secrets that its row has lost. */
  async end(trx: Knex.Transaction, session: Session, ending: Ending, at: number): Promise<boolean> {
    await lockIn(trx, LOCK);
    const events = [...(await this.#departures(trx, session, at)), ...lifecycle.ended(session, ending, at)];
    const isSent = await this.#lanes.add(trx, await this.#insert(trx, events));
    const { save, pending } = session.profile;
    // The receiver is not known any more when it is saved.
    if (save !== null && pending !== null) await this.#lanes.reserve(trx, lifecycle.profileSaved(session, save, at));
    return isSent;
  }

  /** Adds that the profile of an ended session was saved at `at`, or, if that is null, was given up; as `add` does. */
  async profileSettled(trx: Knex.Transaction, session: Session, at: number | null): Promise<boolean> {
    const { save } = session.profile;
    if (save === null) return false;
    await lockIn(trx, LOCK);
    const event = lifecycle.profileSaved({ ...session, events: null }, save, at ?? 0);
    if (at === null) {
      await this.#lanes.discard(trx, event);
      return false;
    }
    const [added] = await this.#insert(trx, [event]);
    return added === undefined ? false : this.#lanes.release(trx, added);
  }

  /** Adds what viewers have done, of the sessions that live. */
  async record(batches: readonly ViewerBatch[]): Promise<void> {
    const isSent = await exclusively(this.#database, LOCK, async trx => {
      const ids = batches.map(({ session }) => session.id);
      const rows = await trx<{ id: string }>('sessions').whereIn('id', ids).whereNull('ended_at').select('id');
      const live = new Set(rows.map(({ id }) => id));
      const events: SessionEvent[] = [];
      for (const { session, takenAt, events: done } of batches) {
        if (!live.has(session.id)) continue;
        if (takenAt !== null) events.push(...(await this.#departures(trx, session, takenAt)));
        events.push(...done);
      }
      const added = await this.#insert(trx, events);
      await this.#count(
        trx,
        added.map(({ event }) => event),
      );
      return this.#lanes.add(trx, added);
    });
    this.#listener(isSent);
  }

  async range(): Promise<EventRange> {
    const [row] = await this.#range();
    const { pruned, erased, newest } = row ?? { pruned: 0, erased: 0, newest: 0 };
    return { pruned, newest: Math.max(newest ?? 0, erased, pruned) };
  }

  /** The first `limit` events with a number greater than `after`, up to `upTo`. */
  async page(after: number, upTo: number, limit: number, filter: EventFilter): Promise<KeptEvent[]> {
    const { tenantId, sessionId, names } = filter;
    const conditions = [
      ...(tenantId === undefined ? [] : ['tenant_id = ?']),
      ...(sessionId === undefined ? [] : ['session_id = ?']),
      ...(names === undefined ? [] : [`name in (${names.map(() => '?').join(', ')})`]),
    ];
    const where = ['seq > ? and seq <= ?', ...conditions].join(' and ');
    const sql = `select seq, name, body from ${TABLE} where ${where} order by seq limit ?`;
    let read = this.#pages.get(sql);
    if (read === undefined) this.#pages.set(sql, (read = this.#reads.prepare(sql)));
    const values = [tenantId, sessionId, ...(names ?? [])].filter(value => value !== undefined);
    return read(after, upTo, ...values, limit);
  }

  /** Goes on to deliver events where a replica of an older release has stopped. */
  async resumeStalled(): Promise<void> {
    if (await exclusively(this.#database, LOCK, resumeStalled)) this.#listener(true);
  }

  /** Deletes a tenant's events, and keeps that there were some with their numbers. @returns how many there were */
  async erase(tenantId: string, trx: Knex.Transaction): Promise<number> {
    const last: unknown = await trx<EventRow>(TABLE).max({ seq: 'seq' }).first();
    const { seq } = last as { seq: number | null };
    if (seq === null) return 0;
    await trx('event_bounds').where({ id: 1 }).andWhere('erased', '<', seq).update({ erased: seq });
    return trx<EventRow>(TABLE).where({ tenant_id: tenantId }).andWhere('seq', '<=', seq).delete();
  }

  /** Deletes events that were added before `time`, and the oldest ones as long as there are more than `most`. */
  async prune(time: number, most: number): Promise<number> {
    for (let count = 0; ;) {
      const deleted = await exclusively(this.#database, LOCK, trx => this.#prune(trx, time, most));
      count += deleted;
      if (deleted < PRUNED_AT_ONCE) return count;
    }
  }

  async #prune(trx: Knex.Transaction, time: number, most: number): Promise<number> {
    const ends: unknown = await trx<EventRow>(TABLE).min({ oldest: 'seq' }).max({ newest: 'seq' }).first();
    const { oldest, newest } = ends as { oldest: number | null; newest: number | null };
    if (oldest === null || newest === null) return 0;
    const old: unknown = await trx<EventRow>(TABLE).where('added_at', '<', time).max({ seq: 'seq' }).first();
    const { seq } = old as { seq: number | null };
    const last = Math.max(seq ?? 0, newest - most);
    const upTo = Math.min(last, oldest + PRUNED_AT_ONCE - 1);
    if (upTo < oldest) return 0;
    await trx('event_bounds').where({ id: 1 }).update({ pruned: upTo });
    const deleted = await trx<EventRow>(TABLE).where('seq', '<=', upTo).delete();
    // There may be gaps; what is left is deleted by the next step.
    return upTo < last ? PRUNED_AT_ONCE : deleted;
  }

  /** Gives those that are new, with their numbers. */
  async #insert(
    trx: Knex.Transaction,
    events: readonly SessionEvent[],
  ): Promise<{ event: SessionEvent; seq: number }[]> {
    const now = clock.now();
    const added: { event: SessionEvent; seq: number }[] = [];
    for (let first = 0; first < events.length; first += ROWS_AT_ONCE) {
      const some = events.slice(first, first + ROWS_AT_ONCE);
      const rows = await trx<EventRow>(TABLE)
        .insert(some.map(({ body }) => toRow(body, now)))
        .onConflict('id')
        .ignore()
        .returning(['id', 'seq']);
      const numbers = new Map(rows.map(({ id, seq }) => [id, seq]));
      for (const event of some) {
        const seq = numbers.get(event.body.id);
        if (seq !== undefined) added.push({ event, seq });
      }
    }
    return added;
  }

  /** Counts those as present who have come and not gone. */
  async #count(trx: Knex.Transaction, events: readonly SessionEvent[]): Promise<void> {
    const [come, gone] = [new Map<string, PresentRow>(), new Set<string>()];
    for (const { body } of events) {
      if (body.event === 'user_joined') {
        come.set(body.user_id, { session_id: body.session_id, user_id: body.user_id });
      } else if (body.event === 'user_left' && !come.delete(body.user_id)) gone.add(body.user_id);
    }
    const [rows, ids] = [[...come.values()], [...gone]];
    for (let first = 0; first < rows.length; first += ROWS_AT_ONCE)
      await trx<PresentRow>(PRESENT)
        .insert(rows.slice(first, first + ROWS_AT_ONCE))
        .onConflict()
        .ignore();
    for (let first = 0; first < ids.length; first += ROWS_AT_ONCE)
      await trx<PresentRow>(PRESENT)
        .whereIn('user_id', ids.slice(first, first + ROWS_AT_ONCE))
        .delete();
  }

  /** Nobody is present any more: what tells that. */
  async #departures(trx: Knex.Transaction, session: Of, at: number): Promise<SessionEvent[]> {
    const present = trx<PresentRow>(PRESENT).where({ session_id: session.id });
    const rows = await present.clone().orderBy('user_id').select('user_id');
    if (rows.length > 0) await present.delete();
    return rows.map(({ user_id: userId }) => lifecycle.userLeft(session, userId, at));
  }
}

const toRow = (body: SessionEvent['body'], now: number): Omit<EventRow, 'seq'> => ({
  id: body.id,
  session_id: body.session_id,
  tenant_id: body.tenant_id,
  name: body.event,
  added_at: now,
  body: JSON.stringify(body),
});
