import type { Knex } from 'knex';
import {
  dueAt,
  type Ending,
  type IdempotencyKey,
  type KindName,
  lifecycle,
  type Session,
  type SessionSummary,
  type SessionTokens,
} from '../model/index.js';
import { exclusively, type Database } from './database.js';
import type { EventStore } from './events.js';
import { addKey, dropKeys } from './idempotency.js';
import { CAPACITY_LOCK } from './locks.js';
import type { Read, Reads } from './reads.js';
import type { RowSecrets } from './row-secrets.js';
import { type SessionFilter, SessionPages } from './session-pages.js';
import { fromRow, SUMMARY_COLUMNS, summaryOf, toRow, type SessionRow, type SummaryRow } from './session-row.js';

const TABLE = 'sessions';
/** Sessions per statement, which may have some thousand values. */
const SEEN_AT_ONCE = 500;

/** The outcome of adding a session. */
export type Insertion = 'inserted' | 'tag_taken' | 'key_taken' | 'full';

/** A replica that has not renewed its leases for this long counts as dead, ms. */
export const LEASE_MS = 30_000;

/** The replica that serves a session, and the expiry of its lease. */
export interface Lease {
  owner: string;
  until: number;
}

/** The table of sessions. Rows are kept after sessions end. */
export class SessionStore {
  readonly #database: Database;
  readonly #secrets: RowSecrets;
  readonly #events: EventStore;
  readonly #session: (row: SessionRow) => Session;
  readonly #find: Read<SessionRow>;
  readonly #summary: Read<SummaryRow>;
  readonly #pages: SessionPages;

  constructor(database: Database, reads: Reads, secrets: RowSecrets, events: EventStore) {
    this.#database = database;
    this.#secrets = secrets;
    this.#events = events;
    this.#session = row => fromRow(row, secrets);
    this.#find = reads.prepare(`select * from ${TABLE} where id = ?`);
    this.#summary = reads.prepare(`select ${SUMMARY_COLUMNS.join(', ')} from ${TABLE} where id = ?`);
    this.#pages = new SessionPages(database, reads, secrets);
  }

  /**
   * Adds a starting session unless its tag is in use, its idempotency key is known, `max` slots are taken, or `ofKind`
   * ones by its kind; atomic across replicas.
   */
  async insert(
    session: Session,
    lease: Lease,
    max: number,
    ofKind = Infinity,
    key: IdempotencyKey | null = null,
  ): Promise<Insertion> {
    const row = { ...toRow(session, this.#secrets), owner: lease.owner, lease_until: lease.until };
    let isSent = false;
    const insertion = await exclusively(this.#database, CAPACITY_LOCK, async (trx): Promise<Insertion> => {
      // Inserts first and counts then: SQLite takes its lock with the first write.
      const inserted = await trx(TABLE).insert(row).onConflict().ignore().returning('id');
      if (inserted.length === 0) return 'tag_taken';
      const drop = () => trx(TABLE).where({ id: session.id }).delete();
      const start = { sessionId: session.id, created: true };
      if (key !== null && !(await addKey(trx, key, start, session.createdAt))) {
        await drop();
        return 'key_taken';
      }
      const isFull =
        (await this.places(trx)) > max ||
        (ofKind !== Infinity && (await this.places(trx, session.launch.kind)) > ofKind);
      if (isFull) {
        await drop();
        return 'full';
      }
      isSent = await this.#events.add(trx, [lifecycle.started(session)]);
      return 'inserted';
    });
    if (insertion === 'inserted') this.#events.added(isSent);
    return insertion;
  }

  /** The session with this ID, live or ended. */
  async find(id: string): Promise<Session | null> {
    const [row] = await this.#find(id);
    return row ? this.#session(row) : null;
  }

  /** The same, without what only its owner needs. */
  async summary(id: string): Promise<SessionSummary | null> {
    const [row] = await this.#summary(id);
    return row ? summaryOf(row, this.#secrets) : null;
  }

  /** The live session with this tag. */
  async findByTag(tag: string): Promise<Session | null> {
    const row = await this.#rows().where({ tag }).whereNull('ended_at').first();
    return row ? this.#session(row) : null;
  }

  /** Sessions in order, after the one with ID `after`; null if that is unknown. */
  page(after: string | null, limit: number, filter: SessionFilter): Promise<SessionSummary[] | null> {
    return this.#pages.page(after, limit, filter);
  }

  /** All live sessions, oldest first. */
  async live(): Promise<Session[]> {
    return (await this.#rows().whereNull('ended_at').orderBy(['created_at', 'id'])).map(this.#session);
  }

  /** Live sessions of `owner`. */
  async owned(owner: string): Promise<Session[]> {
    return (await this.#rows().whereNull('ended_at').where({ owner })).map(this.#session);
  }

  /** Running sessions of `owner` to be checked until `time`, and when. */
  async due(owner: string, time: number): Promise<{ session: Session; at: number }[]> {
    const rows = await this.#rows()
      .whereNull('ended_at')
      .where({ owner, state: 'running' })
      .where('due_at', '<=', time);
    return rows.map(row => ({ session: this.#session(row), at: row.due_at ?? time }));
  }

  /** Turns a starting session into a running one; false if it has ended meanwhile. */
  async markRunning(session: Session, now: number): Promise<boolean> {
    const { claimBy } = session;
    const changes = { state: 'running', ready_at: now, seen_at: now, claim_by: claimBy, due_at: dueAt(session, now) };
    const isSent = await this.#database.transaction(async trx => {
      const starting = trx(TABLE).where({ id: session.id, state: 'starting' }).whereNull('ended_at');
      if ((await starting.update(changes)) !== 1) return null;
      return this.#events.add(trx, [lifecycle.running(session, now)]);
    });
    if (isSent !== null) this.#events.added(isSent);
    return isSent !== null;
  }

  /** Marks a session as claimed. */
  async claim(id: string): Promise<void> {
    await this.#live(id).whereNotNull('claim_by').update({ claim_by: null });
  }

  /**
   * Stores what timeouts of a running session count by: themselves, last input, presence, warning, that it was claimed,
   * and when to check it again.
   */
  async saveActivity(session: Session, now: number): Promise<void> {
    const { absolute, inactive, offline, warning } = session.timeouts;
    await this.#live(session.id)
      .where({ state: 'running' })
      .update({
        absolute_ms: absolute,
        inactive_ms: inactive,
        offline_ms: offline,
        warning_ms: warning,
        counted_from: session.countedFrom,
        input_at: session.inputAt,
        offline_at: session.offlineAt,
        viewers: session.viewers,
        width: session.size.width,
        height: session.size.height,
        // Another replica may have claimed it.
        ...(session.claimBy === null ? { claim_by: null } : {}),
        warned_type: session.warned?.type ?? null,
        warned_at: session.warned?.deadline ?? null,
        announced: JSON.stringify(session.announced),
        due_at: dueAt(session, now),
      });
  }

  /** Replaces a live session's tokens; false if `before` are no longer in force. */
  async replaceTokens(id: string, before: SessionTokens, tokens: SessionTokens): Promise<boolean> {
    const changed = this.#live(id).where({ tokens: JSON.stringify(before) });
    return (await changed.update({ tokens: JSON.stringify(tokens) })) === 1;
  }

  /** Stores the access of a live session's new participants. */
  async saveDefaults(id: string, defaults: Session['defaults']): Promise<void> {
    await this.#live(id).update({ defaults: JSON.stringify(defaults) });
  }

  /** Stores when agents of live sessions were last heard from, UTC milliseconds. */
  async saveSeen(seen: readonly (readonly [id: string, at: number])[]): Promise<void> {
    for (let first = 0; first < seen.length; first += SEEN_AT_ONCE) {
      const some = seen.slice(first, first + SEEN_AT_ONCE);
      const cases = some.map(() => 'when ? then cast(? as bigint)').join(' ');
      await this.#rows()
        .whereIn(
          'id',
          some.map(([id]) => id),
        )
        .whereNull('ended_at')
        .update({ seen_at: this.#database.raw(`case id ${cases} end`, some.flat()) });
    }
  }

  /**
   * Claims the end of a session: exactly one caller gets the ended session, including the secrets that its row loses;
   * the others get null. If it was running, its profile is marked as waiting to be saved by `owner`, from `now` on.
   */
  async markEnded(
    trx: Knex.Transaction,
    id: string,
    ending: Ending,
    now: number,
    owner?: string,
  ): Promise<Session | null> {
    const changes = {
      state: 'ended',
      ended_at: endOf(trx, ending, now),
      end_reason: ending.reason,
      end_message: ending.message ?? null,
      end_code: ending.code ?? null,
      viewers: 0,
      due_at: null,
      profile_pending:
        ending.reason === 'failed' || ending.discard === true
          ? null
          : trx.raw("case when profile_save is not null and state = 'running' then cast(? as bigint) end", [now]),
      ...(owner === undefined ? {} : { owner }),
    };
    const [row] = await trx<SessionRow>(TABLE).where({ id }).whereNull('ended_at').update(changes).returning('*');
    if (row === undefined) return null;
    // It failed, or nobody is known to have received the answer: a repeated start starts another one.
    if (row.ready_at === null || row.claim_by !== null) await dropKeys(trx, id);
    await trx<SessionRow>(TABLE).where({ id }).update(this.#secrets.drop(row));
    return this.#session(row);
  }

  /** Ended sessions of `owner` whose profiles wait to be saved. */
  async unsaved(owner: string): Promise<Session[]> {
    return (await this.#rows().whereNotNull('profile_pending').where({ owner })).map(this.#session);
  }

  /** Whether an ended session is still to be saved as this profile. */
  async isProfilePending(profileId: string): Promise<boolean> {
    const row = await this.#rows().whereNotNull('profile_pending').where({ profile_save: profileId }).first('id');
    return row !== undefined;
  }

  /** The profile of an ended session was saved at `savedAt`, UTC milliseconds; null: it was given up. */
  async settleProfile(session: Session, savedAt: number | null): Promise<void> {
    const isSent = await this.#database.transaction(async trx => {
      const pending = trx(TABLE).where({ id: session.id }).whereNotNull('profile_pending');
      if ((await pending.update({ profile_pending: null })) !== 1) return null;
      return this.#events.profileSettled(trx, session, savedAt);
    });
    if (isSent !== null) this.#events.added(isSent);
  }

  /** Renews the leases of `owner` and takes over expired ones. */
  async lease({ owner, until }: Lease, now: number): Promise<void> {
    await this.#rows()
      .where(query => query.whereNull('ended_at').orWhereNotNull('profile_pending'))
      .where(query => query.where({ owner }).orWhere('lease_until', '<', now))
      .update({ owner, lease_until: until });
  }

  /** Number of live sessions with a token that is derived from one of these secrets. */
  async countUnder(secrets: readonly string[]): Promise<number> {
    if (secrets.length === 0) return 0;
    const [row] = await this.#rows()
      .whereNull('ended_at')
      .where(any => secrets.reduce((query, id) => query.orWhere('tokens', 'like', `%"secret":"${id}"%`), any))
      .count({ count: '*' });
    return Number(row?.['count'] ?? 0);
  }

  /** Slots in use: by live sessions, and by containers whose profiles are still being saved; of one kind, or of all. */
  async places(trx: Database = this.#database, kind?: KindName): Promise<number> {
    const [count] = await trx(TABLE)
      .where(any => any.whereNull('ended_at').orWhereNotNull('profile_pending'))
      .where(kind === undefined ? {} : { kind })
      .count({ taken: '*' });
    return Number(count?.['taken']);
  }

  /** Counts of live sessions. */
  async census(): Promise<{ kind: string; state: string; count: number }[]> {
    const rows = await this.#rows()
      .whereNull('ended_at')
      .groupBy('kind', 'state')
      .select('kind', 'state')
      .count({ count: '*' });
    return rows.map(row => ({
      kind: row['kind'],
      state: row['state'],
      count: Number(row['count']),
    }));
  }

  /** Deletes sessions that ended before `time`. */
  async forget(time: number): Promise<number> {
    return this.#rows().where('ended_at', '<', time).whereNull('profile_pending').delete();
  }

  #rows() {
    return this.#database<SessionRow>(TABLE);
  }

  #live(id: string) {
    return this.#rows().where({ id }).whereNull('ended_at');
  }
}

/** When a session ended: never before it was created, or before it ran. */
function endOf(trx: Knex.Transaction, { at }: Ending, now: number) {
  const end = Math.min(at ?? now, now);
  const began = 'coalesce(ready_at, created_at)';
  return trx.raw(`case when ${began} > cast(? as bigint) then ${began} else cast(? as bigint) end`, [end, end]);
}
