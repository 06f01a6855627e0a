import type { ProfileKind } from '../model/index.js';
import type { Database } from './database.js';

const TABLE = 'profiles';

/** `used_at` of a profile that is being deleted. If that is interrupted, the next sweep goes on with it. */
const WITHDRAWN = -1;

interface ProfileRow {
  id: string;
  kind: ProfileKind;
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
  async saved({ id, kind }: ProfileKey, bytes: number, now: number): Promise<void> {
    const row: ProfileRow = { id, kind, saved_at: now, used_at: now, bytes, secret: this.#secret };
    await this.#rows().insert(row).onConflict('id').merge();
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

  #unused(time: number) {
    return this.#rows()
      .where('used_at', '<', time)
      .whereNotExists(
        this.#database('sessions')
          .where(live => live.whereNull('ended_at').orWhereNotNull('profile_pending'))
          .whereRaw('profiles.id in (profile_load, profile_save)')
          .select('id'),
      );
  }

  #rows() {
    return this.#database<ProfileRow>(TABLE);
  }
}
