import type { Logger } from 'pino';
import type { Profiles } from '../../profiles/index.js';
import type { ProfileKey, SessionStore } from '../../store/index.js';
import { kindOf } from '../../model/index.js';
import type { LiveSession } from '../live-session.js';
import type { LiveSessions } from '../live-sessions.js';
import { keyOf } from './profile-saver.js';

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

export interface CheckpointOptions {
  profiles: Pick<Profiles, 'checkpoint'>;
  store: Pick<SessionStore, 'find'>;
  liveSessions: Pick<LiveSessions, 'all'>;
  /** Milliseconds between two checkpoints of a session; 0: none. */
  intervalMs: number;
  log: Logger;
}

/**
 * Saves the profiles of running sessions periodically, in case a container dies. Some at a time, so that they take few
 * resources from the sessions. Those whose last one was slow come last, one at a time.
 */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  readonly #limits: CheckpointLimits;
  readonly #stopped = new AbortController();
  readonly #running = new Set<LiveSession>();
  /** Sessions that wait for theirs, in this order but for the slow ones. */
  #waiting: LiveSession[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CheckpointOptions, limits = LIMITS) {
    this.#options = options;
    this.#limits = limits;
  }

  start(): void {
    const { intervalMs } = this.#options;
    if (intervalMs > 0) this.#timer = setInterval(() => this.#round(), intervalMs);
  }

  /** Resolves when none is in progress any more; incomplete ones are discarded. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#waiting = [];
    this.#stopped.abort(new Error('The service is stopping.'));
    await Promise.all([...this.#running].flatMap(({ checkpoints }) => checkpoints.running ?? []));
  }

  /** Whoever still waits from the round before is first. */
  #round(): void {
    const all = new Set([...this.#waiting, ...this.#options.liveSessions.all()]);
    this.#waiting = [...all].filter(live => !this.#running.has(live));
    this.#fill();
  }

  #fill(): void {
    while (this.#running.size < this.#limits.parallel) {
      const live = this.#next();
      if (live === undefined) return;
      this.#waiting.splice(this.#waiting.indexOf(live), 1);
      this.#begin(live);
    }
  }

  #next(): LiveSession | undefined {
    const isSlowRunning = [...this.#running].some(({ checkpoints }) => checkpoints.isSlow);
    return (
      this.#waiting.find(({ checkpoints }) => !checkpoints.isSlow) ?? (isSlowRunning ? undefined : this.#waiting[0])
    );
  }

  #begin(live: LiveSession): void {
    const { profile, state, launch } = live.session;
    if (live.gone.aborted || profile.save === null || state.type !== 'running') return;
    if (!kindOf(launch.kind).profile.checkpoints) return;
    this.#running.add(live);
    live.checkpoints.running = this.#make(live, keyOf(live.session, profile.save)).finally(() => {
      live.checkpoints.running = null;
      this.#running.delete(live);
      this.#fill();
    });
  }

  async #make(live: LiveSession, key: ProfileKey): Promise<void> {
    const { profiles, store, log } = this.#options;
    const { id, checkpoints } = live;
    const pace = this.#watch();
    const ended = AbortSignal.any([live.gone, this.#stopped.signal]);
    const signal = AbortSignal.any([ended, pace.signal]);
    try {
      const confirm = async () => {
        signal.throwIfAborted();
        if ((await store.find(id))?.state.type !== 'running') throw new Error('The session has ended.');
      };
      const writing = { signal, confirm, received: pace.received };
      const version = await profiles.checkpoint(key, live.agent, checkpoints.version, writing);
      if (version !== undefined && !signal.aborted) checkpoints.version = version;
    } catch (error) {
      if (!ended.aborted) log.warn({ err: error, session: id }, 'running profile not saved');
    } finally {
      checkpoints.isSlow = pace.stop() > this.#limits.slowMs;
    }
  }

  /** Its signal aborts when a checkpoint is too slow. `stop` gives how long it has taken, milliseconds. */
  #watch() {
    const { slowMs, bytesPerSecond, mostMs } = this.#limits;
    const begun = performance.now();
    const tooSlow = new AbortController();
    let bytes = 0;
    const timer = setInterval(() => {
      const elapsed = performance.now() - begun;
      if (elapsed < slowMs || (elapsed < mostMs && bytes * 1000 >= bytesPerSecond * elapsed)) return;
      tooSlow.abort(new Error('It takes too long.'));
    }, slowMs / 10);
    return {
      signal: tooSlow.signal,
      received: (count: number) => void (bytes += count),
      stop: () => {
        clearInterval(timer);
        return performance.now() - begun;
      },
    };
  }
}
