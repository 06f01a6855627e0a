import type { Logger } from 'pino';
import { AgentHttp } from '../../agent-link/index.js';
import type { Fleet } from '../../engines/index.js';
import type { Session, Tokens } from '../../model/index.js';
import type { Store } from '../../store/index.js';
import { LEASE_MS } from '../recovery/leases.js';
import { answersAdb } from './probe.js';
import { clock } from '../../lib/clock.js';

/** How long cleaning a device may take, and how long one may take to answer, milliseconds. */
const CLEAN_MS = 25_000;
const ANSWER_MS = 5000;

/** How often devices that did not answer are asked, milliseconds. */
const PROBE_INTERVAL_MS = 10_000;

export interface DeviceReturnsParts {
  store: Pick<Store, 'devices'>;
  fleet: Fleet;
  tokens: Tokens;
  replica: string;
  log: Logger;
}

/** Takes back the devices of a pool from sessions that have ended. */
export class DeviceReturns {
  readonly #parts: DeviceReturnsParts;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: DeviceReturnsParts) {
    this.#parts = parts;
  }

  /** Asks the devices that did not answer, again and again until stopped. */
  start(): void {
    this.#timer = setInterval(() => {
      this.#probe().catch((error: unknown) => this.#parts.log.error({ err: error }, 'devices not asked'));
    }, PROBE_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Has an ended session's agent clean its device, if it still has one of a pool; never rejects. What a session without
   * a container has left, the next one's agent cleans.
   * @returns whether the device can be lent again
   */
  async clean(session: Session): Promise<boolean> {
    const { launch, id, region } = session;
    if (launch.kind !== 'android' || launch.android.device.type !== 'adb') return true;
    const { store, fleet, tokens, replica, log } = this.#parts;
    try {
      if (!(await store.devices.hold(id, { owner: replica, until: clock.now() + LEASE_MS }))) return true;
      const endpoint = (await fleet.at(region)?.find(id))?.endpoint ?? null;
      if (endpoint === null) return true;
      const agent = new AgentHttp({ ...endpoint, secret: tokens.of(session, 'link') });
      const answer = await agent.send({ method: 'POST', path: '/clean', signal: AbortSignal.timeout(CLEAN_MS) });
      answer.destroy();
      if (answer.statusCode === 204) return true;
      throw new Error(`The agent answered ${answer.statusCode ?? 0}.`);
    } catch (error) {
      const { host, port } = launch.android.device;
      log.warn({ err: error, session: id, device: `${host}:${port}` }, 'device not cleaned: not lent until it answers');
      return false;
    }
  }

  /** The session's container is gone: its device is free, or if it `isBroken`, once it answers. Idempotent. */
  async release(sessionId: string, isBroken: boolean): Promise<void> {
    const { devices } = this.#parts.store;
    if (isBroken) await devices.failed(sessionId, clock.now());
    else await devices.giveBack(sessionId);
  }

  async #probe(): Promise<void> {
    const { store, log } = this.#parts;
    for (const device of await store.devices.broken()) {
      const [host = '', port = ''] = device.split(':');
      if (!(await answersAdb(host, Number(port), AbortSignal.timeout(ANSWER_MS)))) continue;
      await store.devices.repaired(device);
      log.info({ device }, 'device answers again');
    }
  }
}
