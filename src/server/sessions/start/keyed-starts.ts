import { setTimeout as sleep } from 'node:timers/promises';
import { clock } from '../../lib/clock.js';
import {
  errorTable,
  type IdempotencyKey,
  type Session,
  StartError,
  type StartFailure,
  type StartSpec,
} from '../../model/index.js';
import type { Store } from '../../store/index.js';
import type { LiveSessions } from '../live-sessions.js';
import { FOREIGN_START_POLL_MS, KeyTaken, type Started, type Starter } from './starter.js';

export interface KeyedStartsOptions {
  store: Pick<Store, 'sessions' | 'idempotency'>;
  liveSessions: Pick<LiveSessions, 'get'>;
  starter: Pick<Starter, 'start'>;
  startTimeoutMs: number;
}

/** What a start came to; `repeated`: an earlier one with its key has. */
export interface KeyedStart extends Started {
  repeated: boolean;
}

/** Starts sessions, one for each idempotency key, at whichever replica it comes and however often. */
export class KeyedStarts {
  readonly #options: KeyedStartsOptions;

  constructor(options: KeyedStartsOptions) {
    this.#options = options;
  }

  /**
   * What the start came to that had this key before; waits while it is under way. Null if there was none, or it failed.
   * @throws StartError if its request was another one, or it takes too long
   */
  async earlier(key: IdempotencyKey): Promise<KeyedStart | null> {
    const { store, liveSessions, startTimeoutMs } = this.#options;
    const deadline = clock.now() + startTimeoutMs;
    for (;;) {
      const kept = await store.idempotency.find(key, clock.now());
      if (kept === null) return null;
      if (kept.request !== key.request) throw refusal('idempotency_key_reused');
      const session = await store.sessions.find(kept.sessionId);
      if (session !== null && isSettled(session)) return { session, created: kept.created, repeated: true };
      if (clock.now() > deadline) throw refusal('idempotency_key_in_use');
      const live = liveSessions.get(kept.sessionId);
      const poll = sleep(FOREIGN_START_POLL_MS);
      await (live?.isStarting === true ? Promise.race([live.startSettled, poll]) : poll);
    }
  }

  /** Starts a session unless a start with this key has, or finds the one with the same tag. @throws StartError */
  async start(spec: StartSpec, key: IdempotencyKey | null): Promise<KeyedStart> {
    const { starter, store } = this.#options;
    for (;;) {
      try {
        const started = { ...(await starter.start(spec, key)), repeated: false };
        if (key === null || started.created) return started;
        await store.idempotency.found(key, started.session.id, clock.now());
        // A simultaneous one with this key may have found, or made, another session.
        return (await this.earlier(key)) ?? started;
      } catch (error) {
        if (!(error instanceof KeyTaken) || key === null) throw error;
        const started = await this.earlier(key);
        if (started !== null) return started;
      }
    }
  }
}

const refusal = (code: StartFailure & `idempotency_${string}`) => new StartError(code, errorTable[code][1]);

const isSettled = ({ state, readyAt }: Session) =>
  state.type === 'running' || (state.type === 'ended' && readyAt !== null);
