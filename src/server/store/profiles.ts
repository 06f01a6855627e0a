import type { ProfileKind } from '../model/index.js';
import type { Database } from './database.js';
import type { SessionRow } from './session-row.js';

const TABLE = 'profiles';

/** `used_at` of a profile that is being deleted. If that is interrupted, the next sweep goes on with it. */
const WITHDRAWN = -1;

interface ProfileRow {
  id: string;
  kind: ProfileKind;
  /** The tenant of the session that saved it last. */
  tenant_id: string | null;
  created_at: number;
  saved_at: number;
  used_at: number;
  bytes: number;
  /** ID of the service's secret it is encrypted under; null: the secret from before secrets had IDs. */
  secret: string | null;
}

/** The identity of a profile. */
export interface ProfileKey {
  readonly id: string;
  readonly kind: ProfileKind;
  /** Of the session that saves it. */
  readonly tenantId?: string | null;
}

/** What is known of a profile. Times are UTC milliseconds. */
export interface ProfileRecord {
  id: string;
  kind: ProfileKind;
  tenantId: string | null;
  /** Its stored size. */
  bytes: number;
  /** When it was saved first, and last; and when it was saved or loaded last. */
  createdAt: number;
  savedAt: number;
  usedAt: number;
  /** IDs of the sessions that load or save it and live, or are still to save it. */
  sessions: string[];
}

/** Which profiles are listed, and in which order. What is undefined lets all pass. */
export interface ProfileFilter {
  kind?: ProfileKind | undefined;
  tenantId?: string | undefined;
  /** Default false: oldest first. */
  newestFirst?: boolean | undefined;
}

/** Metadata of stored profiles; times are UTC milliseconds. */
export class ProfileStore {
  readonly #database: Database;
  readonly #secret: string;

  /** `secret`: ID of the service's secret under which profiles are encrypted. */
  constructor(database: Database, secret: string) {
    this.#database = database;
    this.#secret = secret;
  }

  /** Which kind of session saved a profile; null if it does not exist. */
  async kindOf(id: string): Promise<ProfileKind | null> {
    return (await this.#rows().where({ id }).whereNot('used_at', WITHDRAWN).first('kind'))?.kind ?? null;
  }

  /** A profile was saved, for the first time or again; `bytes` is its stored size. */
  async saved({ id, kind, tenantId = null }: ProfileKey, bytes: number, now: number): Promise<void> {
    const saved = { kind, tenant_id: tenantId, saved_at: now, used_at: now, bytes, secret: this.#secret };
    await this.#rows()
      .insert({ id, created_at: now, ...saved })
      .onConflict('id')
      .merge(saved);
  }

  /** A profile; null if it does not exist. */
  async find(id: string): Promise<ProfileRecord | null> {
    const [record = null] = await this.#records(await this.#kept().where({ id }));
    return record;
  }

  /** The first `limit` profiles after the one with ID `after`, which need not pass the filter; null if it is unknown. */
  async page(after: string | null, limit: number, filter: ProfileFilter): Promise<ProfileRecord[] | null> {
    const { kind, tenantId, newestFirst = false } = filter;
    const place = after === null ? undefined : await this.#kept().where({ id: after }).first('id', 'created_at');
    if (after !== null && place === undefined) return null;
    const direction = newestFirst ? 'desc' : 'asc';
    const rows = this.#kept().orderBy('created_at', direction).orderBy('id', direction).limit(limit);
    if (kind !== undefined) void rows.where({ kind });
    if (tenantId !== undefined) void rows.where({ tenant_id: tenantId });
    if (place !== undefined)
      void rows.whereRaw(`(created_at, id) ${newestFirst ? '<' : '>'} (?, ?)`, [place.created_at, place.id]);
    return this.#records(await rows);
  }

  /** A profile was loaded; false if it does not exist. */
  async used(id: string, now: number): Promise<boolean> {
    return (await this.#rows().where({ id }).whereNot('used_at', WITHDRAWN).update({ used_at: now })) === 1;
  }

  /** IDs of the profiles last used before `time` that no session is going to use. */
  async expired(time: number): Promise<string[]> {
    return (await this.#unused(time).select('id')).map(({ id }) => id);
  }

  /** From now on no session can use the profile, whose file is to be removed; false if one does or is going to. */
  async withdraw(id: string, time: number): Promise<boolean> {
    return (await this.#unused(time).where({ id }).update({ used_at: WITHDRAWN })) === 1;
  }

  /** Number of profiles encrypted under another secret than the newest. */
  async countUnderOthers(): Promise<number> {
    const [row] = await this.#database(TABLE)
      .whereNull('secret')
      .orWhereNot('secret', this.#secret)
      .count({ count: '*' });
    return Number(row?.['count'] ?? 0);
  }

  async remove(id: string): Promise<void> {
    await this.#rows().where({ id }).delete();
  }

  /** Number of profiles, and their total size. */
  async census(): Promise<{ count: number; bytes: number }> {
    const [row] = await this.#database(TABLE).count({ count: '*' }).sum({ bytes: 'bytes' });
    return { count: Number(row?.['count'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
  }

  async #records(rows: readonly ProfileRow[]): Promise<ProfileRecord[]> {
    const ids = rows.map(({ id }) => id);
    const users = await this.#using()
      .where(any => any.whereIn('profile_load', ids).orWhereIn('profile_save', ids))
      .orderBy(['created_at', 'id'])
      .select('id', 'profile_load', 'profile_save');
    return rows.map(row => ({
      id: row.id,
      kind: row.kind,
      tenantId: row.tenant_id,
      bytes: row.bytes,
      createdAt: row.created_at,
      savedAt: row.saved_at,
      usedAt: row.used_at,
      sessions: users.filter(user => [user.profile_load, user.profile_save].includes(row.id)).map(({ id }) => id),
    }));
  }

  #unused(time: number) {
    return this.#rows()
      .where('used_at', '<', time)
      .whereNotExists(this.#using().whereRaw('profiles.id in (profile_load, profile_save)').select('id'));
  }

  /** Sessions that use their profiles, or are going to. */
  #using() {
    return this.#database<Pick<SessionRow, 'id' | 'profile_load' | 'profile_save' | 'created_at'>>('sessions').where(
      live => live.whereNull('ended_at').orWhereNotNull('profile_pending'),
    );
  }

  #kept() {
    return this.#rows().whereNot('used_at', WITHDRAWN);
  }

  #rows() {
    return this.#database<ProfileRow>(TABLE);
  }
}
