import type { Logger } from 'pino';
import type { Hub } from '../../participants/index.js';
import type { Profiles } from '../../profiles/index.js';
import type { ProfileKey, SessionStore } from '../../store/index.js';
import { kindOf } from '../../model/index.js';
import type { LiveSessions } from '../live-sessions.js';
import { keyOf } from './profile-key.js';

/** Bounds of what checkpoints take, and of what one session's can take from others'. */
export interface CheckpointLimits {
  /** How many are made at a time. */
  parallel: number;
  /** After this long, milliseconds, a checkpoint is slow: it must go on at `bytesPerSecond`. */
  slowMs: number;
  bytesPerSecond: number;
  /** How long one may take at most, milliseconds. */
  mostMs: number;
}

const LIMITS: CheckpointLimits = { parallel: 4, slowMs: 15_000, bytesPerSecond: 1 << 20, mostMs: 120_000 };

export interface CheckpointParts {
  profiles: Pick<Profiles, 'checkpoint'>;
  store: Pick<SessionStore, 'find'>;
  hub: Pick<Hub, 'agent'>;
  liveSessions: Pick<LiveSessions, 'ids' | 'get'>;
  /** Milliseconds between two checkpoints of a session; 0: none. */
  intervalMs: number;
  log: Logger;
}

interface Running {
  controller: AbortController;
  done: Promise<void>;
}

/**
 * Saves the profiles of running sessions periodically, in case a container dies. Some at a time, so that they take few
 * resources from the sessions. Those whose last one was slow come last, one at a time.
 */
export class Checkpoints {
  readonly #parts: CheckpointParts;
  readonly #limits: CheckpointLimits;
  readonly #versions = new Map<string, string>();
  readonly #running = new Map<string, Running>();
  /** Sessions whose last checkpoint was slow. */
  readonly #slow = new Set<string>();
  /** Sessions that wait for theirs, in this order but for the slow ones. */
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: CheckpointParts, limits = LIMITS) {
    this.#parts = parts;
    this.#limits = limits;
  }

  start(): void {
    const { intervalMs } = this.#parts;
    if (intervalMs > 0) this.#timer = setInterval(() => this.#round(), intervalMs);
  }

  /** Resolves when none is in progress for this session; an incomplete one is discarded. */
  async forget(sessionId: string): Promise<void> {
    const running = this.#running.get(sessionId);
    running?.controller.abort(new Error('The session has ended.'));
    await running?.done;
    this.#versions.delete(sessionId);
    this.#slow.delete(sessionId);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#waiting = [];
    const running = [...this.#running.values()];
    for (const { controller } of running) controller.abort(new Error('The service is stopping.'));
    await Promise.all(running.map(({ done }) => done));
  }

  /** Whoever still waits from the round before is first. */
  #round(): void {
    const ids = new Set([...this.#waiting, ...this.#parts.liveSessions.ids()]);
    this.#waiting = [...ids].filter(id => !this.#running.has(id));
    this.#fill();
  }

  #fill(): void {
    while (this.#running.size < this.#limits.parallel) {
      const sessionId = this.#next();
      if (sessionId === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(sessionId), 1);
      this.#begin(sessionId);
    }
  }

  #next(): string | undefined {
    const isSlowRunning = [...this.#running.keys()].some(id => this.#slow.has(id));
    return this.#waiting.find(id => !this.#slow.has(id)) ?? (isSlowRunning ? undefined : this.#waiting[0]);
  }

  #begin(sessionId: string): void {
    const session = this.#parts.liveSessions.get(sessionId)?.session;
    const save = session?.profile.save ?? null;
    if (save === null || session?.state.name !== 'running') return;
    // A device's data are complete only when it was shut down.
    if (kindOf(session.launch.kind).profile === 'android') return;
    const controller = new AbortController();
    const done = this.#make(sessionId, keyOf(session, save), controller).finally(() => {
      this.#running.delete(sessionId);
      this.#fill();
    });
    this.#running.set(sessionId, { controller, done });
  }

  async #make(sessionId: string, key: ProfileKey, controller: AbortController): Promise<void> {
    const { profiles, store, hub, log } = this.#parts;
    const { signal } = controller;
    const pace = this.#watch(controller);
    try {
      const confirm = async () => {
        signal.throwIfAborted();
        if ((await store.find(sessionId))?.state.name !== 'running') throw new Error('The session has ended.');
      };
      const writing = { signal, confirm, received: pace.received };
      const version = await profiles.checkpoint(key, hub.agent(sessionId), this.#versions.get(sessionId), writing);
      if (version !== undefined && !signal.aborted) this.#versions.set(sessionId, version);
    } catch (error) {
      if (!signal.aborted || pace.tooSlow) log.warn({ err: error, session: sessionId }, 'running profile not saved');
    } finally {
      if (pace.stop() > this.#limits.slowMs) this.#slow.add(sessionId);
      else this.#slow.delete(sessionId);
    }
  }

  /** Aborts a checkpoint that is too slow. `stop` gives how long it has taken, milliseconds. */
  #watch(controller: AbortController) {
    const { slowMs, bytesPerSecond, mostMs } = this.#limits;
    const begun = performance.now();
    let bytes = 0;
    const watch = {
      tooSlow: false,
      received: (count: number) => void (bytes += count),
      stop: () => {
        clearInterval(timer);
        return performance.now() - begun;
      },
    };
    const timer = setInterval(() => {
      const elapsed = performance.now() - begun;
      if (elapsed < slowMs || (elapsed < mostMs && bytes * 1000 >= bytesPerSecond * elapsed)) return;
      watch.tooSlow = true;
      controller.abort(new Error('It takes too long.'));
    }, slowMs / 10);
    return watch;
  }
}
