import type { Logger } from 'pino';
import { withDeadline } from '../../lib/deadline.js';
import type { Hub } from '../../participants/index.js';
import type { Profiles } from '../../profiles/index.js';
import type { ProfileKey, SessionStore } from '../../store/index.js';
import { kindOf } from '../../model/index.js';
import type { LiveSessions } from '../live-sessions.js';

/** How long one checkpoint may take. */
const TIMEOUT_MS = 120_000;

export interface CheckpointParts {
  profiles: Profiles;
  store: SessionStore;
  hub: Hub;
  liveSessions: LiveSessions;
  /** Milliseconds between two checkpoints of a session; 0: none. */
  intervalMs: number;
  log: Logger;
}

/** Saves the profiles of running sessions periodically, in case a container dies. */
export class Checkpoints {
  readonly #parts: CheckpointParts;
  readonly #versions = new Map<string, string>();
  #current: { sessionId: string; controller: AbortController; done: Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRound = false;

  constructor(parts: CheckpointParts) {
    this.#parts = parts;
  }

  start(): void {
    const { intervalMs } = this.#parts;
    if (intervalMs > 0) this.#timer = setInterval(() => void this.#round(), intervalMs);
  }

  /** Resolves when none is in progress for this session; an incomplete one is discarded. */
  async forget(sessionId: string): Promise<void> {
    this.#versions.delete(sessionId);
    if (this.#current?.sessionId !== sessionId) return;
    this.#current.controller.abort(new Error('The session has ended.'));
    await this.#current.done;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#current?.controller.abort(new Error('The service is stopping.'));
    await this.#current?.done;
  }

  /** Sequentially, so that they take few resources from the sessions. */
  async #round(): Promise<void> {
    if (this.#isRound) return;
    this.#isRound = true;
    const { liveSessions } = this.#parts;
    for (const sessionId of liveSessions.ids()) {
      const session = liveSessions.get(sessionId)?.session;
      const save = session?.profile.save ?? null;
      if (save === null || session?.state.name !== 'running') continue;
      const controller = new AbortController();
      const key = { id: save, kind: kindOf(session.launch.kind).profile };
      const done = this.#make(sessionId, key, withDeadline(TIMEOUT_MS, controller.signal));
      this.#current = { sessionId, controller, done };
      await done;
      this.#current = undefined;
    }
    this.#isRound = false;
  }

  async #make(sessionId: string, key: ProfileKey, signal: AbortSignal): Promise<void> {
    const { profiles, store, hub, log } = this.#parts;
    try {
      const confirm = async () => {
        signal.throwIfAborted();
        if ((await store.find(sessionId))?.state.name !== 'running') throw new Error('The session has ended.');
      };
      const agent = hub.agent(sessionId);
      const version = await profiles.checkpoint(key, agent, this.#versions.get(sessionId), { signal, confirm });
      if (version !== undefined && !signal.aborted) this.#versions.set(sessionId, version);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, session: sessionId }, 'running profile not saved');
    }
  }
}
