import type { Knex } from 'knex';
import type { DayUsage } from '../model/index.js';
import type { Database } from './database.js';

const TABLE = 'usage';

/** A usage query. */
export interface UsageFilter {
  tenantId?: string | undefined;
  /** First and last UTC date, `YYYY-MM-DD`, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Booked running time of ended sessions, per tenant and UTC day. */
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

  /** Booked time per day, summed over all tenants unless one is given. */
  async read(filter: UsageFilter, trx: Database = this.#database): Promise<DayUsage[]> {
    const query = trx(TABLE).select('date', trx.raw('sum(ms) as total')).groupBy('date');
    if (filter.tenantId !== undefined) query.where({ tenant_id: filter.tenantId });
    if (filter.from !== undefined) query.where('date', '>=', filter.from);
    if (filter.to !== undefined) query.where('date', '<=', filter.to);
    const rows = (await query) as { date: string; total: unknown }[];
    return rows.map(({ date, total }) => ({ date, ms: Number(total) }));
  }
}
