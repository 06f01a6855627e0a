import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from './database.js';
import type { Lease } from './sessions.js';

const DEVICES = 'android_devices';
const HISTORY = 'android_device_history';

/**
 * A device that is lent, or must be reset before it is lent again; one without a row is free. Times are UTC
 * milliseconds.
 */
interface DeviceRow {
  /** host:port. */
  device: string;
  /** Null: it must be reset. */
  session_id: string | null;
  /** Whom its session belongs to; null for rows of older versions. */
  lent_to: string | null;
  /** The replica that has the lease, on the device or on its reset. */
  owner: string;
  lease_until: number;
  /** Since when it must be reset. */
  failed_at: number | null;
  /** How many resets have failed. */
  tried: number;
  /** When the next one is due; null in rows of older versions: now. */
  retry_at: number | null;
}

/** What remains known of a device. */
interface HistoryRow {
  device: string;
  /** Whose sessions used it since its operator's own reset, `hashOf` those who were erased; null: nobody's. */
  used_by: string | null;
  used_at: number | null;
  /** When a reset failed last. */
  failed_at: number | null;
  /** What it had before its first session, as JSON; null: not known, so that it is not lent. */
  baseline: string | null;
}

/** The answer to a request for a device: one; none yet, since one is being reset; or none. */
export type Lending = { device: string } | 'soon' | 'none';

/** A device that must be reset, and what is known of it. */
export interface DueReset {
  device: string;
  tried: number;
  /** JSON; null: not known yet. */
  baseline: string | null;
  usedBy: string | null;
}

/**
 * The Android devices that sessions use, each for one session. A session keeps its device until it was released, which
 * happens when its container is gone; then it must be reset. Without its operator's own reset, a device that was used
 * is lent only to sessions of the same party.
 */
export class DeviceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Marks free devices of `pool` to be reset before they are lent, and their baseline to be recorded anew. */
  async register(pool: readonly string[], now: number): Promise<void> {
    for (const device of pool) {
      await this.#database.transaction(async trx => {
        const unknown = { device, used_by: null, used_at: null, failed_at: null, baseline: null };
        await trx<HistoryRow>(HISTORY).insert(unknown).onConflict('device').ignore();
        const row = { device, session_id: null, owner: '', lease_until: 0, failed_at: now, retry_at: now };
        const added = await trx<DeviceRow>(DEVICES).insert(row).onConflict().ignore().returning('device');
        if (added.length > 0) await trx<HistoryRow>(HISTORY).where({ device }).update({ baseline: null });
      });
    }
  }

  /**
   * Lends a session of `party` a free device of `pool` that nobody else has used: one that it has used itself first,
   * then the one whose last failed reset, or last use, is longest ago. Atomic across replicas. `isUnbound`: a reset
   * lets everybody use a device again.
   */
  async lend(
    pool: readonly string[],
    sessionId: string,
    party: string,
    { owner, until }: Lease,
    isUnbound: boolean,
  ): Promise<Lending> {
    for (const { device } of await this.#suitable(pool, party)) {
      const row = { device, session_id: sessionId, lent_to: party, owner, lease_until: until, failed_at: null };
      const lent = await this.#rows().insert(row).onConflict().ignore().returning('device');
      if (lent.length === 0) continue;
      // Only the holder of the row changes what is known of a device, so this cannot change any more.
      if ((await this.#suitable([device], party)).length > 0) return { device };
      await this.giveBack(sessionId);
    }
    const due = this.#rows().whereIn('device', pool).whereNull('session_id').where({ tried: 0 }).select('device');
    const coming = this.#history().whereIn('device', due);
    if (!isUnbound) void coming.where(of(party));
    return (await coming.first()) === undefined ? 'none' : 'soon';
  }

  /** Devices that a session of `party` may have, if they are free; the best one first. */
  async #suitable(pool: readonly string[], party: string): Promise<HistoryRow[]> {
    const rows = await this.#history().whereIn('device', pool).whereNotNull('baseline').where(of(party));
    const rank = (row: HistoryRow) => [
      row.used_by === null ? 1 : 0,
      row.failed_at ?? 0,
      row.used_at ?? 0,
      pool.indexOf(row.device),
    ];
    const compare = (a: HistoryRow, b: HistoryRow) => {
      const [left, right] = [rank(a), rank(b)];
      return left.map((value, index) => value - (right[index] ?? 0)).find(difference => difference !== 0) ?? 0;
    };
    return rows.sort(compare);
  }

  /** Renews the leases of the live sessions of `owner`. */
  async renew({ owner, until }: Lease): Promise<void> {
    const live = this.#database('sessions').where({ owner }).whereNull('ended_at').select('id');
    await this.#rows().whereIn('session_id', live).update({ owner, lease_until: until });
  }

  /** A session that was not started gives its device back unused. Idempotent. */
  async giveBack(sessionId: string): Promise<void> {
    await this.#rows().where({ session_id: sessionId }).delete();
  }

  /** The container of a session of `party` is gone: its device must be reset. Idempotent. */
  async release(sessionId: string, party: string, now: number): Promise<void> {
    await this.#database.transaction(async trx => {
      const row = await trx<DeviceRow>(DEVICES).where({ session_id: sessionId }).first('device');
      if (row === undefined) return;
      const use = { used_by: party, used_at: now };
      const unknown = { device: row.device, failed_at: null, baseline: null };
      await trx<HistoryRow>(HISTORY)
        .insert({ ...unknown, ...use })
        .onConflict('device')
        .merge(use);
      const due = { session_id: null, failed_at: now, tried: 0, retry_at: now, lease_until: 0 };
      await trx<DeviceRow>(DEVICES).where({ session_id: sessionId }).update(due);
    });
  }

  /**
   * Takes over the devices of sessions that have ended, or never began, and that nobody looks after, with a lease on
   * each. Atomic across replicas.
   */
  async takeAbandoned({ owner, until }: Lease, now: number): Promise<{ sessionId: string; party: string | null }[]> {
    const live = this.#database('sessions').whereNull('ended_at').select('id');
    const rows = await this.#rows()
      .where('lease_until', '<', now)
      .whereNotNull('session_id')
      .whereNotIn('session_id', live)
      .update({ owner, lease_until: until })
      .returning(['session_id', 'lent_to']);
    return rows.map(({ session_id, lent_to }) => ({ sessionId: session_id ?? '', party: lent_to }));
  }

  /** Takes the resets of `pool` that are due, with a lease on each. Atomic across replicas. */
  async takeDue(pool: readonly string[], { owner, until }: Lease, now: number): Promise<DueReset[]> {
    const due = (rows: Knex.QueryBuilder<DeviceRow>) =>
      void rows
        .whereNull('session_id')
        .where('lease_until', '<', now)
        .where(it => void it.whereNull('retry_at').orWhere('retry_at', '<=', now));
    const taken: DueReset[] = [];
    for (const { device, tried } of await this.#rows().whereIn('device', pool).where(due).select('device', 'tried')) {
      if ((await this.#rows().where({ device }).where(due).update({ owner, lease_until: until })) === 0) continue;
      const known = await this.#history().where({ device }).first();
      taken.push({ device, tried, baseline: known?.baseline ?? null, usedBy: known?.used_by ?? null });
    }
    return taken;
  }

  /** Prolongs the lease on a reset; false: it is another replica's by now. */
  async prolong(device: string, { owner, until }: Lease): Promise<boolean> {
    return (await this.#due(device, owner).update({ lease_until: until })) > 0;
  }

  /** A device was reset: it is free, of everybody if its operator's own reset was done. False: the lease was lost. */
  async cleaned(device: string, owner: string, baseline: string, isUnbound: boolean): Promise<boolean> {
    return this.#database.transaction(async trx => {
      const known = { device, baseline, ...(isUnbound ? { used_by: null } : {}) };
      if ((await this.#due(device, owner, trx).delete()) === 0) return false;
      await trx<HistoryRow>(HISTORY).insert(known).onConflict('device').merge(known);
      return true;
    });
  }

  /** A reset failed; the next one is due at `retryAt`. */
  async failed(device: string, owner: string, now: number, retryAt: number): Promise<void> {
    await this.#due(device, owner).update({ lease_until: 0, retry_at: retryAt }).increment('tried', 1);
    await this.#history().where({ device }).update({ failed_at: now });
  }

  /** A reset was broken off; it is due at once. */
  async leave(device: string, owner: string): Promise<void> {
    await this.#due(device, owner).update({ lease_until: 0 });
  }

  /** The history says no more who `party` was; what it has used stays its own. */
  async forget(party: string, trx: Knex.Transaction): Promise<void> {
    await trx<HistoryRow>(HISTORY)
      .where({ used_by: party })
      .update({ used_by: hashOf(party) });
  }

  /** How many of `pool` are in each state. */
  async census(pool: readonly string[]): Promise<Record<'free' | 'lent' | 'resetting' | 'unclean', number>> {
    const rows = await this.#rows().whereIn('device', pool).select('device', 'session_id', 'tried');
    const known = await this.#history().whereIn('device', pool).whereNotNull('baseline').select('device');
    const free = known.filter(({ device }) => !rows.some(row => row.device === device)).length;
    const lent = rows.filter(row => row.session_id !== null).length;
    const unclean = rows.filter(row => row.session_id === null && row.tried > 0).length;
    return { free, lent, resetting: pool.length - free - lent - unclean, unclean };
  }

  #due(device: string, owner: string, connection: Database | Knex.Transaction = this.#database) {
    return connection<DeviceRow>(DEVICES).where({ device, owner }).whereNull('session_id');
  }

  #rows() {
    return this.#database<DeviceRow>(DEVICES);
  }

  #history() {
    return this.#database<HistoryRow>(HISTORY);
  }
}

/** Devices that nobody but `party` has used. */
const of = (party: string) => (query: Knex.QueryBuilder) =>
  void query.whereNull('used_by').orWhereIn('used_by', [party, hashOf(party)]);

const hashOf = (party: string) => `sha256:${createHash('sha256').update(party).digest('hex')}`;
