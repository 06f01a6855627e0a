import type { Database } from './database.js';
import type { Lease } from './sessions.js';

const TABLE = 'android_devices';

/** A row of the table: a device that is lent, or that failed to answer. Times are UTC milliseconds. */
interface DeviceRow {
  /** host:port. */
  device: string;
  /** Null: it is not lent, but failed to answer. */
  session_id: string | null;
  owner: string;
  lease_until: number;
  /** Since when it has not answered. */
  failed_at: number | null;
}

/** The Android devices that sessions use, each for one session. A device without a row is free. */
export class DeviceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Lends a session the first free device of `pool`; null: none is free. Atomic across replicas. An expired lease ends
   * once its session has ended, too: a session without a replica still uses its device.
   */
  async lend(pool: readonly string[], sessionId: string, { owner, until }: Lease, now: number): Promise<string | null> {
    for (const device of pool) {
      await this.#rows()
        .where({ device })
        .whereNull('failed_at')
        .where('lease_until', '<', now)
        .whereNotIn('session_id', this.#database('sessions').whereNull('ended_at').select('id'))
        .delete();
      const row = { device, session_id: sessionId, owner, lease_until: until, failed_at: null };
      const lent = await this.#rows().insert(row).onConflict().ignore().returning('device');
      if (lent.length > 0) return device;
    }
    return null;
  }

  /** Prolongs a session's lease, also when it has ended; returns whether it has a device, and nobody else by now. */
  async hold(sessionId: string, { owner, until }: Lease): Promise<boolean> {
    return (await this.#rows().where({ session_id: sessionId }).update({ owner, lease_until: until })) > 0;
  }

  /** Renews the leases of the live sessions of `owner`. */
  async renew({ owner, until }: Lease): Promise<void> {
    const live = this.#database('sessions').where({ owner }).whereNull('ended_at').select('id');
    await this.#rows().whereIn('session_id', live).update({ owner, lease_until: until });
  }

  /** A session gives its device back. Idempotent. */
  async giveBack(sessionId: string): Promise<void> {
    await this.#rows().where({ session_id: sessionId }).delete();
  }

  /** A session gives back a device that does not answer: it is not lent until it was `repaired`. */
  async failed(sessionId: string, now: number): Promise<void> {
    await this.#rows().where({ session_id: sessionId }).update({ session_id: null, failed_at: now });
  }

  /** Devices that do not answer. */
  async broken(): Promise<string[]> {
    const rows = await this.#rows().whereNotNull('failed_at').orderBy('device').select('device');
    return rows.map(({ device }) => device);
  }

  /** A device answers again. */
  async repaired(device: string): Promise<void> {
    await this.#rows().where({ device }).whereNotNull('failed_at').delete();
  }

  #rows() {
    return this.#database<DeviceRow>(TABLE);
  }
}
