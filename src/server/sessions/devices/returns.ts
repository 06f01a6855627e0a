import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AndroidConfig } from '../../config/index.js';
import type { Engine, Fleet } from '../../engines/index.js';
import { poolDeviceOf, type Session } from '../../model/index.js';
import { type DueReset, LEASE_MS, type Store } from '../../store/index.js';
import { clock } from '../../lib/clock.js';
import type { ResetHook } from './hook.js';
import { type Baseline, resetDevice } from './reset/reset.js';

/** How often devices that are due are looked for, milliseconds. */
const INTERVAL_MS = 2000;

/** How often the lease on a reset is prolonged, milliseconds. */
const RENEWAL_MS = 10_000;

/** How long the end of a session waits for its device, milliseconds; the reset goes on. */
const PATIENCE_MS = 25_000;

/** Between two resets of a device: doubled each time, milliseconds. */
const RETRY = { first: 5000, most: 120_000 };

/** Asked whether a container is gone, so often, at this distance in milliseconds. */
const GONE = { questions: 20, pause: 250 };

export interface DeviceReturnsOptions {
  store: Pick<Store, 'devices' | 'sessions'>;
  fleet: Fleet;
  android: AndroidConfig;
  /** The operator's own reset; null: there is none. */
  hook: ResetHook | null;
  replica: string;
  log: Logger;
}

/** Whose sessions may share a device that was not reset by its operator: those of a tenant, or all that have none. */
export const partyOf = ({ tenantId }: Pick<Session, 'tenantId'>): string => tenantId ?? '';

/** Takes back the devices of a pool from sessions that have ended, and resets them before they are lent again. */
export class DeviceReturns {
  readonly #options: DeviceReturnsOptions;
  readonly #pool: readonly string[];
  readonly #stopped = new AbortController();
  /** By device. */
  readonly #resets = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: DeviceReturnsOptions) {
    this.#options = options;
    const { devices } = options.android;
    this.#pool = devices.type === 'adb' ? devices.pool.map(({ host, port }) => `${host}:${port}`) : [];
  }

  /** Resets the free devices, about which nothing is known after a pause, and from then on those that are due. */
  async start(): Promise<void> {
    if (this.#pool.length === 0) return;
    await this.#options.store.devices.register(this.#pool, clock.now());
    void this.#look();
    this.#timer = setInterval(() => void this.#look(), INTERVAL_MS);
  }

  /** Breaks off what is under way: it is due again. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopped.abort(new Error('the service is stopping'));
    await this.#looking;
    await Promise.all(this.#resets.values());
  }

  /**
   * Takes back the device of an ended session, if it has one of a pool, once its engine says that its container is gone.
   * Waits for its reset, but not for long. Idempotent.
   * @throws EngineError if the container could not be removed: the session keeps the device
   */
  async release(session: Session): Promise<void> {
    const { launch, id, region } = session;
    const device = poolDeviceOf(launch);
    if (device === null) return;
    const engine = this.#options.fleet.at(region);
    if (engine === null) throw new Error(`No host serves the region ${region}.`);
    await removed(engine, id);
    await this.#options.store.devices.release(id, partyOf(session), clock.now());
    await this.#look();
    const { host, port } = device;
    const waiting = new AbortController();
    const patience = delay(PATIENCE_MS, undefined, { signal: waiting.signal }).catch(() => undefined);
    await Promise.race([this.#resets.get(`${host}:${port}`), patience]);
    waiting.abort();
  }

  /** How many devices of the pool are in each state; empty without one. */
  async census(): Promise<Readonly<Record<string, number>>> {
    return this.#pool.length === 0 ? {} : this.#options.store.devices.census(this.#pool);
  }

  /** One look at a time; a call meanwhile waits for another one. */
  async #look(): Promise<void> {
    while (this.#looking !== undefined) await this.#looking;
    const looking = this.#lookOnce()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'devices not checked'))
      .finally(() => (this.#looking = undefined));
    this.#looking = looking;
    await looking;
  }

  async #lookOnce(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const { store, replica } = this.#options;
    const now = clock.now();
    const lease = { owner: replica, until: now + LEASE_MS };
    for (const { sessionId, party } of await store.devices.takeAbandoned(lease, now))
      await this.#recover(sessionId, party);
    const due = await store.devices.takeDue(this.#pool, lease, now);
    for (const reset of due) {
      const { device } = reset;
      // One whose lease was lost goes on until it notices.
      if (this.#resets.has(device)) continue;
      const run = this.#reset(reset)
        .catch((error: unknown) => this.#options.log.error({ err: error, device }, 'outcome of a reset not recorded'))
        .finally(() => this.#resets.delete(device));
      this.#resets.set(device, run);
    }
  }

  /** The device of a session that nobody looks after any more, such as after a restart of the service. */
  async #recover(sessionId: string, party: string | null): Promise<void> {
    const { store, fleet, log } = this.#options;
    try {
      const session = await store.sessions.find(sessionId);
      const own = session === null ? null : fleet.at(session.region);
      const engines = session === null ? fleet.members.map(({ engine }) => engine) : own === null ? [] : [own];
      if (engines.length === 0) throw new Error(`No host serves the region ${session?.region ?? ''}.`);
      for (const engine of engines) await removed(engine, sessionId);
      await store.devices.release(sessionId, session === null ? (party ?? '') : partyOf(session), clock.now());
    } catch (error) {
      log.warn({ err: error, session: sessionId }, 'device of an ended session not taken back yet');
    }
  }

  /** Resets a device, and records what became of it. */
  async #reset({ device, tried, baseline, usedBy }: DueReset): Promise<void> {
    const { store, replica, hook, log } = this.#options;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stopped.signal, over.signal]);
    const renewal = setInterval(() => {
      store.devices.prolong(device, { owner: replica, until: clock.now() + LEASE_MS }).then(
        isOurs => isOurs || over.abort(new Error('the lease was lost')),
        (error: unknown) => log.warn({ err: error, device }, 'lease of a reset not renewed'),
      );
    }, RENEWAL_MS);
    try {
      // One that was never used is as its operator left it.
      const isRestored = hook !== null && usedBy !== null;
      if (isRestored) await hook.run(device, signal);
      const found = await resetDevice(this.#accessTo(device, isRestored), baselineIn(baseline), signal);
      await store.devices.cleaned(device, replica, JSON.stringify(found), hook !== null);
      log.info({ device }, 'device reset');
    } catch (error) {
      if (this.#stopped.signal.aborted) return await store.devices.leave(device, replica);
      const wait = Math.min(RETRY.first * 2 ** tried, RETRY.most);
      const reason = (error as Error).message;
      log.error({ device, reason, attempts: tried + 1, retry_s: wait / 1000 }, 'device not reset: it is not lent');
      await store.devices.failed(device, replica, clock.now(), clock.now() + wait);
    } finally {
      clearInterval(renewal);
    }
  }

  /** A device that was restored may be booting. */
  #accessTo(device: string, mayBoot: boolean) {
    const { devices, deadlines } = this.#options.android;
    const [host = '', port] = device.split(':');
    const key = devices.type === 'adb' ? devices.key : null;
    return { host, port: Number(port), key, patience: deadlines.connect + (mayBoot ? deadlines.boot : 0) };
  }
}

/** Removes a session's container; resolves when its engine has none any more. @throws EngineError */
async function removed(engine: Engine, sessionId: string): Promise<void> {
  await engine.stop(sessionId);
  for (let question = 0; (await engine.find(sessionId)) !== null; question++) {
    if (question === GONE.questions) throw new Error('The container is still there.');
    await delay(GONE.pause);
  }
}

/** What is not understood counts as not known: it is noted anew. */
function baselineIn(json: string | null): Baseline {
  const value: unknown = json === null ? {} : JSON.parse(json);
  return typeof value === 'object' && value !== null ? (value as Baseline) : {};
}
