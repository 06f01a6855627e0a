import type { Knex } from 'knex';
import { type DayUsage, liveUsage } from '../model/index.js';
import type { Database } from './database.js';

const TABLE = 'usage';

/** A usage query. */
export interface UsageFilter {
  tenantId?: string | undefined;
  /** First and last UTC date, `YYYY-MM-DD`, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** A booked day, or the start of a session that still runs. */
type Row = { date: string; total: unknown } | { date: null; ready_at: number };

/** Running time: what ended sessions have booked, per tenant and UTC day, and what running ones have used so far. */
export class UsageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds running time to its days; an empty tenant means none. */
  async book(trx: Knex.Transaction, tenantId: string | null, days: readonly DayUsage[]): Promise<void> {
    for (const { date, ms } of days) {
      await trx(TABLE)
        .insert({ tenant_id: tenantId ?? '', date, ms })
        .onConflict(['tenant_id', 'date'])
        .merge({ ms: trx.raw('?? + excluded.ms', [`${TABLE}.ms`]) });
    }
  }

  /**
   * Running time per UTC day of ended sessions and, up to `now`, of running ones, of all tenants unless one is given.
   * Each is counted once: one statement reads both, so that none ends in between.
   */
  async until(now: number, filter: UsageFilter): Promise<DayUsage[]> {
    const database = this.#database;
    const running = database('sessions')
      .select('ready_at', database.raw('null as date'), database.raw('null as total'))
      .whereNull('ended_at')
      .whereNotNull('ready_at');
    const booked = database(TABLE).select(database.raw('null'), 'date', database.raw('sum(ms)')).groupBy('date');
    if (filter.from !== undefined) booked.where('date', '>=', filter.from);
    if (filter.to !== undefined) booked.where('date', '<=', filter.to);
    const { tenantId } = filter;
    if (tenantId !== undefined) for (const query of [running, booked]) query.where({ tenant_id: tenantId });
    const rows = (await running.unionAll(booked)) as Row[];
    const starts = rows.flatMap(row => (row.date === null ? [row.ready_at] : []));
    const days = rows.flatMap(row => (row.date === null ? [] : [{ date: row.date, ms: Number(row.total) }]));
    return [...days, ...liveUsage(starts, filter, now)];
  }
}
