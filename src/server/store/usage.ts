import type { Knex } from 'knex';
import { type DayUsage, liveUsage } from '../model/index.js';
import type { Read, Reads } from './reads.js';

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
  readonly #all: Read<Row>;
  readonly #ofTenant: Read<Row>;

  constructor(reads: Reads) {
    // One statement, so that no session ends in between.
    const read = (tenant: string) =>
      reads.prepare<Row>(
        `select date, sum(ms) as total, null as ready_at from ${TABLE} where date >= ? and date <= ? ${tenant} ` +
          'group by date union all select null, null, ready_at from sessions ' +
          `where ended_at is null and ready_at is not null ${tenant}`,
      );
    this.#all = read('');
    this.#ofTenant = read('and tenant_id = ?');
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
   * Running time per UTC day of ended sessions and, up to `now`, of running ones, each counted once; of all tenants
   * unless one is given.
   */
  async until(now: number, filter: UsageFilter): Promise<DayUsage[]> {
    const { tenantId, from = '', to = '9999' } = filter;
    const rows = await (tenantId === undefined ? this.#all(from, to) : this.#ofTenant(from, to, tenantId, tenantId));
    const starts = rows.flatMap(row => (row.date === null ? [row.ready_at] : []));
    const days = rows.flatMap(row => (row.date === null ? [] : [{ date: row.date, ms: Number(row.total) }]));
    return [...days, ...liveUsage(starts, filter, now)];
  }
}
