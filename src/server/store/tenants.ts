import type { Database } from './database.js';
import type { DeviceStore } from './devices.js';
import type { EventStore } from './events.js';
import type { SessionRow } from './session-row.js';

/** How many rows of a tenant were deleted. */
export interface ErasedRows {
  sessionRecords: number;
  webhooks: number;
  events: number;
  idempotencyKeys: number;
  /** Days of usage, of each kind. */
  usageDays: number;
}

/** All that the store knows of a tenant. */
export class TenantStore {
  readonly #database: Database;
  readonly #events: EventStore;
  readonly #devices: DeviceStore;

  constructor(database: Database, events: EventStore, devices: DeviceStore) {
    this.#database = database;
    this.#events = events;
    this.#devices = devices;
  }

  /** IDs of its sessions that have not ended. */
  async live(tenantId: string): Promise<string[]> {
    return (await this.#sessions(tenantId).whereNull('ended_at').select('id')).map(({ id }) => id);
  }

  /** IDs of the profiles that its sessions saved last, those whose deletion was interrupted, too. */
  async profiles(tenantId: string): Promise<string[]> {
    const rows = await this.#database<{ id: string; tenant_id: string | null }>('profiles')
      .where({ tenant_id: tenantId })
      .select('id');
    return rows.map(({ id }) => id);
  }

  /** Gives up what its ended sessions were still to save. */
  async settleProfiles(tenantId: string): Promise<void> {
    await this.#sessions(tenantId).whereNotNull('ended_at').update({ profile_pending: null });
  }

  /**
   * Deletes the records of its sessions that have ended, webhooks that are not delivered, events, idempotency keys, its
   * name at devices that it used, and its usage if that is asked for; all or nothing.
   */
  async erase(tenantId: string, { usage }: { usage: boolean }): Promise<ErasedRows> {
    const own = { tenant_id: tenantId };
    return this.#database.transaction(async trx => {
      const idempotencyKeys = await trx('idempotency_keys').where(own).delete();
      const ended = trx<SessionRow>('sessions').where(own).whereNotNull('ended_at').whereNull('profile_pending');
      const webhooks = await trx('outbox').whereIn('session_id', ended.clone().select('id')).delete();
      const events = await this.#events.erase(tenantId, trx);
      await this.#devices.forget(tenantId, trx);
      const sessionRecords = await ended.clone().delete();
      const usageDays = usage
        ? (await trx('usage').where(own).delete()) + (await trx('usage_by_kind').where(own).delete())
        : 0;
      return { sessionRecords, webhooks, events, idempotencyKeys, usageDays };
    });
  }

  #sessions(tenantId: string) {
    return this.#database<SessionRow>('sessions').where({ tenant_id: tenantId });
  }
}
