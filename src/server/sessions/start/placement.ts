import { setTimeout as delay } from 'node:timers/promises';
import type { Launch } from '../../../protocol/generated/schemas.js';
import type { AdbDevice, AndroidConfig } from '../../config/index.js';
import { kindOf, type KindName, poolDeviceOf, StartError, type StartSpec, withPoolDevice } from '../../model/index.js';
import { type Lease, LEASE_MS, type Store } from '../../store/index.js';
import { clock } from '../../lib/clock.js';
import { partyOf } from '../devices/returns.js';

/** How long a start waits for a device that is being reset, and how often it asks, milliseconds. */
const WAIT = { ms: 10_000, pause: 200 };

/** The device of a pool that a session has, for its container. */
export function adbOf(launch: Launch): { adb?: AdbDevice } {
  const adb = poolDeviceOf(launch);
  return adb === null ? {} : { adb };
}

/** Decides which device an Android session gets, and how many there may be. */
export class Placement {
  readonly #android: AndroidConfig;
  readonly #store: Pick<Store, 'devices'>;

  constructor(android: AndroidConfig, store: Pick<Store, 'devices'>) {
    this.#android = android;
    this.#store = store;
  }

  /** How many sessions of a kind there may be, besides the limit of all kinds together. */
  limit(kind: KindName): number {
    return kindOf(kind).device ? this.#android.maxSessions : Infinity;
  }

  /**
   * The launch of a session, with a device of the pool where it needs one; waits a little for one that is being reset.
   * @throws StartError if none is free, or what `signal` aborts with
   */
  async place(
    { launch, tenantId }: Pick<StartSpec, 'launch' | 'tenantId'>,
    sessionId: string,
    { owner }: Pick<Lease, 'owner'>,
    signal: AbortSignal,
  ): Promise<StartSpec['launch']> {
    const { devices } = this.#android;
    if (!kindOf(launch.kind).device || devices.type !== 'adb') return launch;
    const pool = new Map(devices.pool.map(device => [`${device.host}:${device.port}`, device]));
    const lend = () => {
      const lease = { owner, until: clock.now() + LEASE_MS };
      const isUnbound = devices.reset !== null;
      return this.#store.devices.lend([...pool.keys()], sessionId, partyOf({ tenantId }), lease, isUnbound);
    };
    const begun = performance.now();
    let lending = await lend();
    while (lending === 'soon' && performance.now() - begun < WAIT.ms) {
      await delay(WAIT.pause);
      signal.throwIfAborted();
      lending = await lend();
    }
    const device = typeof lending === 'string' ? undefined : pool.get(lending.device);
    if (device === undefined) throw new StartError('capacity', 'All Android devices are in use; try again later.');
    return withPoolDevice(launch, device);
  }

  /** A session that was not started gives its device back. Idempotent. */
  giveBack(sessionId: string): Promise<void> {
    return this.#store.devices.giveBack(sessionId);
  }
}
