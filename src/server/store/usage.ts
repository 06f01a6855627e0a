import type { Knex } from 'knex';
import { type DayUsage, type KindName, liveUsage, type UsageGroup } from '../model/index.js';
import type { Read, Reads } from './reads.js';

const TABLE = 'usage_by_kind';

/** With what older versions have booked, which has no kind. */
const BOOKED = `(select tenant_id, kind, date, ms from ${TABLE} union all select tenant_id, '', date, ms from usage) as each_booked`;

/** Booked days that one query gives at most. */
export const USAGE_MAX = 100_000;

/** What usage is told apart by, besides the date. */
const GROUPS = ['tenant_id', 'kind'] as const;
type Group = (typeof GROUPS)[number];

/** A usage query. */
export interface UsageFilter {
  tenantId?: string | undefined;
  kind?: KindName | undefined;
  /** First and last UTC date, `YYYY-MM-DD`, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  /** Default: all is added up. */
  groupBy?: readonly Group[] | undefined;
}

/** A booked day, or the start of a session that still runs; what is not asked for is null. */
type Row = Record<Group, string | null> & ({ date: string; total: unknown } | { date: null; ready_at: number });

/** Running time: what ended sessions have booked, per tenant, kind and UTC day, and what running ones have used so far. */
export class UsageStore {
  readonly #reads: Reads;
  /** By statement. */
  readonly #prepared = new Map<string, Read<Row>>();

  constructor(reads: Reads) {
    this.#reads = reads;
  }

  /** Adds running time to its days; an empty tenant means none. */
  async book(trx: Knex.Transaction, tenantId: string | null, kind: KindName, days: readonly DayUsage[]): Promise<void> {
    for (const { date, ms } of days) {
      await trx(TABLE)
        .insert({ tenant_id: tenantId ?? '', kind, date, ms })
        .onConflict(['tenant_id', 'kind', 'date'])
        .merge({ ms: trx.raw('?? + excluded.ms', [`${TABLE}.ms`]) });
    }
  }

  /**
   * Running time per UTC day of ended sessions and, up to `now`, of running ones, each counted once; of all tenants and
   * kinds unless one is given. Null if more days than USAGE_MAX are booked.
   */
  async until(now: number, filter: UsageFilter): Promise<DayUsage[] | null> {
    const { from = '', to = '9999', groupBy = [] } = filter;
    const given = GROUPS.flatMap(column => {
      const value = column === 'kind' ? filter.kind : filter.tenantId;
      return value === undefined ? [] : [{ column, value }];
    });
    const sql = statement(
      groupBy,
      given.map(({ column }) => column),
    );
    const read = this.#prepared.get(sql) ?? this.#reads.prepare<Row>(sql);
    this.#prepared.set(sql, read);
    const values = given.map(({ value }) => value);
    const rows = await read(from, to, ...values, USAGE_MAX + 1, ...values);
    const groupOf = ({ tenant_id: tenantId, kind }: Row): UsageGroup => ({
      ...(groupBy.includes('tenant_id') ? { tenantId: tenantId || null } : {}),
      ...(groupBy.includes('kind') ? { kind: (kind || null) as KindName | null } : {}),
    });
    const running = rows.flatMap(row => (row.date === null ? [{ at: row.ready_at, ...groupOf(row) }] : []));
    const days = rows.flatMap(row =>
      row.date === null ? [] : [{ date: row.date, ms: Number(row.total), ...groupOf(row) }],
    );
    return days.length > USAGE_MAX ? null : [...days, ...liveUsage(running, filter, now)];
  }
}

/** One statement, so that no session ends in between. */
function statement(groupBy: readonly Group[], given: readonly Group[]): string {
  const columns = GROUPS.map(column => (groupBy.includes(column) ? column : `null as ${column}`)).join(', ');
  const conditions = given.map(column => `and ${column} = ?`).join(' ');
  const groups = GROUPS.filter(column => groupBy.includes(column));
  // PostgreSQL takes a null in a subquery for text unless told otherwise.
  return (
    `select * from (select date, sum(ms) as total, cast(null as bigint) as ready_at, ${columns} from ${BOOKED} ` +
    `where date >= ? and date <= ? ${conditions} group by ${['date', ...groups].join(', ')} limit ?) as booked ` +
    `union all select null, null, ready_at, ${columns} from sessions ` +
    `where ended_at is null and ready_at is not null ${conditions}`
  );
}
