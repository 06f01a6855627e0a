import type { Knex } from 'knex';
import type { Region } from '../../protocol/generated/schemas.js';
import type { EndReason, KindName, SessionSummary } from '../model/index.js';
import { clientOf, type Database } from './database.js';
import type { Read, Reads } from './reads.js';
import type { RowSecrets } from './row-secrets.js';
import { SUMMARY_COLUMNS, summaryOf, type SummaryRow } from './session-row.js';

const TABLE = 'sessions';

/** Which sessions are listed, and in which order. What is undefined lets all pass. Times are UTC milliseconds. */
export interface SessionFilter {
  state?: 'starting' | 'running' | 'ended' | undefined;
  kind?: KindName | undefined;
  region?: Region | undefined;
  tag?: string | undefined;
  tenantId?: string | undefined;
  /** An entry of its metadata. */
  metadata?: { name: string; value: string } | undefined;
  reason?: EndReason | undefined;
  /** The first moment that is in the range, and the first after it. */
  created?: Range | undefined;
  ended?: Range | undefined;
  /** Default false: oldest first. */
  newestFirst?: boolean | undefined;
}

export interface Range {
  from?: number | undefined;
  to?: number | undefined;
}

type Place = Pick<SummaryRow, 'id' | 'created_at'>;

/** Pages of sessions, by their creation. */
export class SessionPages {
  readonly #database: Database;
  readonly #secrets: RowSecrets;
  readonly #place: Read<Place>;

  constructor(database: Database, reads: Reads, secrets: RowSecrets) {
    this.#database = database;
    this.#secrets = secrets;
    this.#place = reads.prepare(`select id, created_at from ${TABLE} where id = ?`);
  }

  /** The first `limit` sessions after the one with ID `after`, which need not pass the filter; null if it is unknown. */
  async page(after: string | null, limit: number, filter: SessionFilter): Promise<SessionSummary[] | null> {
    const [place] = after === null ? [] : await this.#place(after);
    if (after !== null && place === undefined) return null;
    const { newestFirst = false } = filter;
    const direction = newestFirst ? 'desc' : 'asc';
    const rows = this.#matching(filter).orderBy('created_at', direction).orderBy('id', direction).limit(limit);
    if (place !== undefined)
      void rows.whereRaw(`(created_at, id) ${newestFirst ? '<' : '>'} (?, ?)`, [place.created_at, place.id]);
    return (await rows).map(row => summaryOf(row, this.#secrets));
  }

  #matching(filter: SessionFilter) {
    const { kind, region, tag, tenantId, metadata, reason, created = {}, ended = {} } = filter;
    const equal = { kind, region, tag, tenant_id: tenantId, end_reason: reason };
    const rows = this.#database<SummaryRow>(TABLE).select(...SUMMARY_COLUMNS);
    void rows.where(Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)));
    inState(rows, filter.state);
    within(rows, 'created_at', created);
    within(rows, 'ended_at', ended);
    if (metadata !== undefined) void rows.whereRaw(this.#entry, [metadata.name, metadata.value]);
    return rows;
  }

  get #entry(): string {
    return clientOf(this.#database) === 'pg'
      ? 'metadata::jsonb ->> ? = ?'
      : 'exists (select 1 from json_each(metadata) where key = ? and value = ?)';
  }
}

/** Whether a session has ended is what its end says, as everywhere. */
function inState(rows: Knex.QueryBuilder, state: SessionFilter['state']): void {
  if (state === 'ended') void rows.whereNotNull('ended_at');
  else if (state !== undefined) void rows.whereNull('ended_at').where({ state });
}

function within(rows: Knex.QueryBuilder, column: string, { from, to }: Range): void {
  if (from !== undefined) void rows.where(column, '>=', from);
  if (to !== undefined) void rows.where(column, '<', to);
}
