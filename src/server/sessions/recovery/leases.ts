import type { Logger } from 'pino';
import { LEASE_MS, type Store } from '../../store/index.js';
import { clock } from '../../lib/clock.js';

const RENEWAL_MS = 10_000;

/** Renews this replica's leases on sessions and their devices, and takes over the sessions of dead replicas. */
export class Leases {
  readonly #store: Pick<Store, 'sessions' | 'devices'>;
  readonly #replica: string;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<Store, 'sessions' | 'devices'>, replica: string, log: Logger) {
    this.#store = store;
    this.#replica = replica;
    this.#log = log;
  }

  /** Takes over this replica's sessions, and continues until stopped. */
  async start(): Promise<void> {
    await this.#renew();
    this.#timer = setInterval(() => {
      this.#renew().catch((error: unknown) => this.#log.error({ err: error }, 'leases not renewed'));
    }, RENEWAL_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const now = clock.now();
    const lease = { owner: this.#replica, until: now + LEASE_MS };
    await this.#store.sessions.lease(lease, now);
    await this.#store.devices.renew(lease);
  }
}
