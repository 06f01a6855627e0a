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
  /** The fewest and the most viewers. */
  viewers?: { min?: number | undefined; max?: number | undefined } | undefined;
  /** Of the display, pixels. */
  width?: number | undefined;
  height?: number | undefined;
  created?: Range | undefined;
  ready?: Range | undefined;
  /** When the first of its timeouts ends it. */
  expires?: Range | undefined;
  ended?: Range | undefined;
  /** Default false: oldest first. */
  newestFirst?: boolean | undefined;
}

/** The first moment that is in the range, and the first after it. */
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
    const { kind, region, tag, tenantId, metadata, reason, viewers = {}, width, height } = filter;
    const equal = { kind, region, tag, tenant_id: tenantId, end_reason: reason, width, height };
    const rows = this.#database<SummaryRow>(TABLE).select(...SUMMARY_COLUMNS);
    void rows.where(Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== undefined)));
    inState(rows, filter.state);
    if (viewers.min !== undefined) void rows.whereRaw('coalesce(viewers, 0) >= ?', viewers.min);
    if (viewers.max !== undefined) void rows.whereRaw('coalesce(viewers, 0) <= ?', viewers.max);
    within(rows, 'created_at', filter.created);
    within(rows, 'ready_at', filter.ready);
    within(rows, 'ended_at', filter.ended);
    expiring(rows, filter.expires);
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

function within(rows: Knex.QueryBuilder, column: string, { from, to }: Range = {}): void {
  if (from !== undefined) void rows.where(column, '>=', from);
  if (to !== undefined) void rows.where(column, '<', to);
}

/** When each timeout would end a session; null: it does not count. The first of them is when it expires. */
const DEADLINES = [
  'coalesce(counted_from, created_at) + absolute_ms',
  'input_at + inactive_ms',
  'offline_at + offline_ms',
];

function expiring(rows: Knex.QueryBuilder, { from, to }: Range = {}): void {
  if (from === undefined && to === undefined) return;
  const anyBefore = (time: number) => (some: Knex.QueryBuilder) =>
    DEADLINES.forEach(deadline => void some.orWhereRaw(`${deadline} < ?`, time));
  void rows
    .whereNull('ended_at')
    .where(some => DEADLINES.forEach(deadline => void some.orWhereRaw(`${deadline} is not null`)));
  if (to !== undefined) void rows.where(anyBefore(to));
  if (from !== undefined) for (const deadline of DEADLINES) void rows.whereRaw(`(${deadline} < ?) is not true`, from);
}
