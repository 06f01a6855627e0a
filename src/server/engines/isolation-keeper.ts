import { unlessAborted } from '../lib/deadline.js';
import type { Engine, EngineEvents, FoundContainer } from './engine.js';

/** How long isolation may be lost before it is restored. */
const CHECK_INTERVAL_MS = 30_000;

/** How an engine isolates the networks of its sessions. */
export interface IsolationSteps<T> {
  /** Makes everything that isolates them, and verifies it. */
  make(): Promise<T>;
  /** Restores what was removed or changed since; returns whether anything was. */
  repair(): Promise<boolean>;
  /** Translates their errors. */
  failure(error: unknown): Error;
  /** Whether a failure to repair means that sessions may be exposed. */
  exposes(failure: Error): boolean;
  /** How long each of them may take, milliseconds. */
  timeoutMs: number;
}

/** Makes an engine's isolation before its first session starts, and keeps it while the engine is watched. */
export class IsolationKeeper<T> {
  readonly #steps: IsolationSteps<T>;
  #made: Promise<T> | null = null;
  #isMaking = false;
  /** Whether isolation was lost, and has not been restored since. */
  #wasExposed = false;

  constructor(steps: IsolationSteps<T>) {
    this.#steps = steps;
  }

  /** Makes it once, and again after a failure or after it was lost. @throws what `failure` returns */
  async made(): Promise<T> {
    const made = (this.#made ??= this.#make());
    try {
      return await made;
    } catch (error) {
      if (this.#made === made) this.#made = null;
      throw this.#steps.failure(error);
    }
  }

  /** The same, within the time that it may take. */
  madeInTime(): Promise<T> {
    return unlessAborted(this.made(), AbortSignal.timeout(this.#steps.timeoutMs));
  }

  /** The engine may have lost it: no session starts before it was verified again. */
  lost(): void {
    this.#made = null;
  }

  /** Makes it again; whoever asks while that is under way shares it. @throws what `failure` returns */
  remade(): Promise<T> {
    if (!this.#isMaking) this.#made = null;
    return this.made();
  }

  /** Checks it regularly until stopped, and restores it. */
  watch(events: Pick<EngineEvents, 'restored' | 'exposed'>): { stop(): void } {
    let isChecking = false;
    const timer = setInterval(() => {
      if (isChecking) return;
      isChecking = true;
      void this.#check(events).finally(() => (isChecking = false));
    }, CHECK_INTERVAL_MS);
    return { stop: () => clearInterval(timer) };
  }

  async #make(): Promise<T> {
    this.#isMaking = true;
    try {
      return await this.#steps.make();
    } finally {
      this.#isMaking = false;
    }
  }

  async #check(events: Pick<EngineEvents, 'restored' | 'exposed'>): Promise<void> {
    const { repair, failure, exposes, timeoutMs } = this.#steps;
    const made = this.#made;
    try {
      const work = made === null ? this.made().then(() => this.#wasExposed) : repair();
      if (await unlessAborted(work, AbortSignal.timeout(timeoutMs))) events.restored();
      this.#wasExposed = false;
    } catch (error) {
      const cause = failure(error);
      // The engine was lost, or this is already known.
      if (made === null || this.#made !== made || !exposes(cause)) return;
      this.#made = null;
      this.#wasExposed = true;
      events.exposed(cause);
    }
  }
}

/** Removes the containers of an engine that are ours. @returns the others' */
export async function removeOurs(
  engine: Pick<Engine, 'list' | 'stop'>,
  isOurs: (container: FoundContainer) => boolean,
): Promise<FoundContainer[]> {
  const containers = await engine.list();
  const others = containers.filter(container => !isOurs(container));
  const ours = containers.filter(container => !others.includes(container));
  await Promise.all(ours.map(({ sessionId }) => engine.stop(sessionId)));
  return others;
}
