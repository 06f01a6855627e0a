import type { Logger } from 'pino';
import { withDeadline } from '../../lib/deadline.js';
import type { Launch } from '../../../protocol/generated/schemas.js';
import { type Preparation, suits } from '../../../protocol/preparation.js';
import type { Endpoint, Engine, FleetMember } from '../../engines/index.js';
import { kindNames, type KindName, newSessionId } from '../../model/index.js';
import { Demand } from './demand.js';
import { clock } from '../../lib/clock.js';
import { SerialQueue } from '../../../lib/serial-queue.js';

/** A container of the warm pool, under the ID of the session that will take it. */
export interface WarmContainer {
  readonly sessionId: string;
  /** Rejects if the container could not be started. */
  readonly endpoint: Promise<Endpoint>;
  /** Aborts its start if that is still in progress. */
  abandon(reason: unknown): void;
}

export interface WarmPoolOptions {
  /** How many each engine keeps of each kind that has a warm pool. */
  size: number;
  /** Whether containers start a browser while they wait. */
  prepares: boolean;
  /** Time zone of browsers whose start requests specify none; null: UTC. */
  timezone: string | null;
  replica: string;
  /** Starts that take longer are aborted. */
  startTimeoutMs: number;
  /** Free session slots across the whole service. */
  room(): Promise<number>;
  /** Derives the secret of a session's link. */
  secret(sessionId: string): string;
  log: Logger;
}

interface Slot extends WarmContainer {
  readonly engine: Engine;
  readonly kind: KindName;
  readonly madeAt: number;
  /** What it started; null: nothing. */
  readonly preparation: Preparation | null;
}

/** Leaves the CPU to a session that is opening on a warm container before the next container starts. */
const REFILL_DELAY_MS = 2000;

/** Maximum age, after which a container is replaced; older ones must be left over from a replica that is gone. */
export const WARM_MAX_AGE_MS = 3_600_000;

/** Containers that already run and wait for a session, so that starts need not wait for them. */
export class WarmPool {
  readonly #options: WarmPoolOptions;
  /** Oldest first. */
  #slots: Slot[] = [];
  /** Taken for sessions that are not counted as such yet. */
  readonly #taken = new Set<Slot>();
  readonly #filling = new Map<FleetMember, SerialQueue>();
  readonly #timers = new Map<Engine, NodeJS.Timeout>();
  readonly #members = new Map<Engine, FleetMember>();
  readonly #demand: Demand;
  #stopped = false;

  constructor(options: WarmPoolOptions) {
    this.#options = options;
    this.#demand = new Demand(options.prepares, options.timezone);
  }

  get count(): number {
    return this.#slots.length;
  }

  /**
   * Takes a container for a session, one with a suitable browser before one without any, and that before one whose
   * browser is discarded; null if none is available. It is replaced later.
   */
  take(engine: Engine, launch: Launch): WarmContainer | null {
    this.#refillLater(engine);
    this.#demand.started(launch);
    const mine = this.#slots.filter(each => each.engine === engine && each.kind === launch.kind);
    const slot =
      mine.find(({ preparation }) => preparation !== null && suits(preparation, launch)) ??
      mine.find(({ preparation }) => preparation === null) ??
      mine[0];
    if (slot === undefined) return null;
    this.#forget(slot);
    this.#taken.add(slot);
    return slot;
  }

  /** A taken container now belongs to a session, which has its own slot. */
  used(warm: WarmContainer): void {
    this.#taken.delete(warm as Slot);
  }

  /** Returns a container that was taken but not used. */
  giveBack(warm: WarmContainer): void {
    const slot = warm as Slot;
    this.#taken.delete(slot);
    if (this.#stopped || !this.#members.has(slot.engine)) void this.#remove(slot);
    else this.#slots = [slot, ...this.#slots];
  }

  /** Whether this container is waiting in the pool. */
  has(sessionId: string): boolean {
    return this.#slots.some(slot => slot.sessionId === sessionId);
  }

  /** Handles the end of a container; returns whether it was waiting in the pool. */
  gone(sessionId: string): boolean {
    const slot = this.#slots.find(each => each.sessionId === sessionId);
    if (slot === undefined) return false;
    void this.#remove(slot);
    // Not replaced immediately: one that ends by itself would probably do so again.
    this.#options.log.warn({ session: sessionId }, 'container of the warm pool ended');
    return true;
  }

  /** Nothing is known about an engine's containers until its next `fill`; by then they count as left over. */
  lost(member: FleetMember): void {
    const lost = this.#slots.filter(({ engine }) => engine === member.engine);
    for (const slot of lost) {
      this.#forget(slot);
      slot.abandon(new Error('The connection to the engine was lost.'));
    }
    this.#members.delete(member.engine);
  }

  /** Brings the pool of a reachable engine to its size, removing containers that are too old or too many. */
  async fill(member: FleetMember): Promise<void> {
    this.#members.set(member.engine, member);
    const filling = this.#filling.get(member) ?? new SerialQueue();
    this.#filling.set(member, filling);
    try {
      await filling.run(() => this.#fillAll(member.engine));
    } catch (error) {
      if (!this.#stopped) this.#options.log.warn({ err: error, engine: member.name }, 'warm pool not filled');
    }
  }

  /** Removes all waiting containers. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.allSettled(this.#slots.splice(0).map(slot => this.#remove(slot)));
  }

  async #fillAll(engine: Engine): Promise<void> {
    const isUseless = (slot: Slot) =>
      clock.now() - slot.madeAt > WARM_MAX_AGE_MS ||
      !this.#demand.isWanted(slot.kind) ||
      this.#demand.isOutdated(slot.kind, slot.preparation);
    const useless = this.#slots.filter(slot => slot.engine === engine && isUseless(slot));
    await Promise.all(useless.map(slot => this.#remove(slot)));
    for (const kind of kindNames.filter(name => this.#demand.isWanted(name))) await this.#fill(engine, kind);
  }

  async #fill(engine: Engine, kind: KindName): Promise<void> {
    const mine = () => this.#slots.filter(slot => slot.engine === engine && slot.kind === kind);
    while (!this.#stopped && this.#members.has(engine)) {
      const before = this.#slots.length + this.#taken.size;
      const room = await this.#options.room();
      // Sessions that take containers meanwhile may or may not be counted yet.
      const needed = Math.max(before, this.#slots.length + this.#taken.size);
      const [newest] = mine().slice(-1);
      if (room < this.#slots.length && newest !== undefined) await this.#remove(newest);
      else if (room <= needed || mine().length >= this.#options.size || this.#stopped) return;
      else if (!(await this.#make(engine, kind))) return;
    }
  }

  /** Starts a container; false if a session has taken one meanwhile, which should open undisturbed. */
  async #make(engine: Engine, kind: KindName): Promise<boolean> {
    const { secret, replica, startTimeoutMs } = this.#options;
    const sessionId = newSessionId();
    const controller = new AbortController();
    const signal = withDeadline(startTimeoutMs, controller.signal);
    const preparation = this.#demand.preparation(kind);
    const request = {
      sessionId,
      kind,
      linkSecret: secret(sessionId),
      warmedBy: replica,
      ...(preparation === null ? {} : { preparation }),
    };
    const endpoint = engine.start(request, signal);
    const abandon = (reason: unknown) => controller.abort(reason);
    const slot: Slot = { sessionId, engine, kind, endpoint, madeAt: clock.now(), preparation, abandon };
    this.#slots.push(slot);
    try {
      await endpoint;
      return this.has(sessionId);
    } catch (error) {
      // Whoever has taken it is notified separately.
      if (!this.has(sessionId)) return false;
      this.#forget(slot);
      throw error;
    }
  }

  async #remove(slot: Slot): Promise<void> {
    this.#forget(slot);
    slot.abandon(new Error('The container is no longer needed.'));
    await slot.endpoint.catch(() => {});
    // What cannot be removed now is removed later by the reconciler.
    await slot.engine.stop(slot.sessionId).catch(() => {});
  }

  #forget(slot: Slot): void {
    this.#slots = this.#slots.filter(each => each !== slot);
  }

  #refillLater(engine: Engine): void {
    const member = this.#members.get(engine);
    if (member === undefined || this.#stopped || this.#timers.has(engine)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(engine);
      if (this.#members.has(engine)) void this.fill(member);
    }, REFILL_DELAY_MS);
    this.#timers.set(engine, timer);
  }
}
