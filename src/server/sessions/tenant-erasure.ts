import type { Profiles } from '../profiles/index.js';
import type { ErasedRows, Store } from '../store/index.js';
import type { Terminator } from './terminator.js';

/** Sessions that are ended at a time. */
const AT_ONCE = 8;

/** Sessions may be started meanwhile; those that come later are left to the caller, who can stop starting them. */
const ROUNDS = 3;

/** What went with a tenant. */
export interface ErasedTenant extends ErasedRows {
  sessionsEnded: number;
  profiles: number;
  /** IDs of profiles that stay, since sessions of others use them. */
  profilesInUse: string[];
}

export interface TenantErasureOptions {
  store: Pick<Store, 'tenants'>;
  terminator: Pick<Terminator, 'end'>;
  profiles: Pick<Profiles, 'delete'>;
}

/** Deletes all that belongs to a tenant. */
export class TenantErasure {
  readonly #options: TenantErasureOptions;

  constructor(options: TenantErasureOptions) {
    this.#options = options;
  }

  /**
   * Ends the sessions of a tenant without saving their profiles, then deletes its profiles and what the store knows of
   * it; its usage only if asked for. If it was interrupted, another call goes on.
   * @throws ProfileError if a profile cannot be deleted now; all before it are gone
   */
  async erase(tenantId: string, options: { usage: boolean }): Promise<ErasedTenant> {
    const { store, profiles } = this.#options;
    const sessionsEnded = await this.#endAll(tenantId);
    await store.tenants.settleProfiles(tenantId);
    let deleted = 0;
    const profilesInUse: string[] = [];
    for (const id of await store.tenants.profiles(tenantId)) {
      const outcome = await profiles.delete(id);
      if (outcome === 'deleted') deleted++;
      if (outcome === 'in_use') profilesInUse.push(id);
    }
    return { sessionsEnded, profiles: deleted, profilesInUse, ...(await store.tenants.erase(tenantId, options)) };
  }

  async #endAll(tenantId: string): Promise<number> {
    const { store, terminator } = this.#options;
    let ended = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const ids = await store.tenants.live(tenantId);
      if (ids.length === 0) break;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let id = ids.pop(); id !== undefined; id = ids.pop())
            if (await terminator.end(id, { reason: 'request', discard: true })) ended++;
        }),
      );
    }
    return ended;
  }
}
