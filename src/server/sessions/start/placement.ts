import type { Launch } from '../../../protocol/generated/schemas.js';
import type { AdbDevice, AndroidConfig } from '../../config/index.js';
import { kindOf, type KindName, StartError, type StartSpec } from '../../model/index.js';
import type { Lease, Store } from '../../store/index.js';
import { clock } from '../../lib/clock.js';

/** The device of a pool that a session has, for its container. */
export function adbOf(launch: Launch): { adb?: AdbDevice } {
  if (launch.kind !== 'android' || launch.android.device.type !== 'adb') return {};
  const { host, port } = launch.android.device;
  return { adb: { host, port } };
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
    return kindOf(kind).calls === 'android' ? this.#android.maxSessions : Infinity;
  }

  /** The launch of a session, with a device of the pool where it needs one. @throws StartError if none is free */
  async place({ launch }: Pick<StartSpec, 'launch'>, sessionId: string, lease: Lease): Promise<StartSpec['launch']> {
    const { devices } = this.#android;
    if (launch.kind !== 'android' || devices.type !== 'adb') return launch;
    const pool = new Map(devices.pool.map(device => [`${device.host}:${device.port}`, device]));
    const lent = await this.#store.devices.lend([...pool.keys()], sessionId, lease, clock.now());
    const device = lent === null ? undefined : pool.get(lent);
    if (device === undefined) throw new StartError('capacity', 'All Android devices are in use; try again later.');
    const { key } = devices;
    const reached = { type: 'adb' as const, ...device, ...(key === null ? {} : { key }) };
    return { ...launch, android: { ...launch.android, device: reached } };
  }

  /** A session that was not started gives its device back. Idempotent. */
  giveBack(sessionId: string): Promise<void> {
    return this.#store.devices.giveBack(sessionId);
  }
}
