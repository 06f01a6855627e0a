import type { Logger } from 'pino';
import { withDeadline } from '../../lib/deadline.js';
import type { Fleet } from '../../engines/index.js';
import { AgentHttp } from '../../agent-link/index.js';
import type { Hub } from '../../participants/index.js';
import type { Profiles } from '../../profiles/index.js';
import type { ProfileKey, SessionStore } from '../../store/index.js';
import { kindOf, ProfileError, type Session, type Tokens } from '../../model/index.js';
import type { LiveSessions } from '../live-sessions.js';
import { clock } from '../../lib/clock.js';

/** How long saving a profile once may take. */
const ATTEMPT_MS = 120_000;

/** A device must shut down first, and has some gigabytes. */
const DEVICE_ATTEMPT_MS = 600_000;

/** After this long without success a profile is given up, so that its container does not stay for ever. */
const GIVE_UP_MS = 900_000;

export interface ProfileSaverParts {
  profiles: Profiles;
  store: SessionStore;
  fleet: Fleet;
  tokens: Tokens;
  log: Logger;
}

/** Saves the profiles of ended sessions from containers that still exist. */
export class ProfileSaver {
  readonly #parts: ProfileSaverParts;
  readonly #underWay = new Set<Promise<boolean>>();
  readonly #stopped = new AbortController();

  constructor(parts: ProfileSaverParts) {
    this.#parts = parts;
  }

  /**
   * Saves the profile of an ended session, if there is one to save; never rejects. A failed save stays marked in the
   * store, to be retried. Not to be called again for the session meanwhile.
   * @returns whether its container is no longer needed
   */
  keep(session: Session): Promise<boolean> {
    const keeping = this.#keep(session).finally(() => this.#underWay.delete(keeping));
    this.#underWay.add(keeping);
    return keeping;
  }

  /** Aborts saves in progress; the marks stay. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('The service is stopping.'));
    await Promise.all(this.#underWay);
  }

  async #keep(session: Session): Promise<boolean> {
    const { profiles, log } = this.#parts;
    const { save, pending } = session.profile;
    if (save === null || pending === null) return true;
    try {
      // Saved meanwhile: the row may have been read before its container was looked up.
      if (((await this.#parts.store.find(session.id))?.profile.pending ?? null) === null) return true;
      const agent = await this.#agentOf(session);
      if (agent === null) return await this.#lose(session, 'the container is gone');
      const key = keyOf(session, save);
      const signal = withDeadline(key.kind === 'android' ? DEVICE_ATTEMPT_MS : ATTEMPT_MS, this.#stopped.signal);
      await profiles.save(key, agent, signal);
      await this.#parts.store.settleProfile(session.id);
      log.info({ session: session.id, profile: save }, 'profile saved');
      return true;
    } catch (error) {
      if (this.#stopped.signal.aborted) return false;
      log.error({ err: error, session: session.id, profile: save }, 'profile not saved');
      if (error instanceof ProfileError && error.failure === 'damaged') return this.#lose(session, error.message);
      return this.#judge(session, pending);
    }
  }

  async #judge(session: Session, pending: number): Promise<boolean> {
    try {
      if ((await this.#agentOf(session)) === null) return await this.#lose(session, 'the container died');
      if (clock.now() - pending > GIVE_UP_MS) return await this.#lose(session, 'it took too long');
    } catch (error) {
      this.#parts.log.warn({ err: error, session: session.id }, 'profile not saved yet');
    }
    return false;
  }

  async #lose(session: Session, reason: string): Promise<true> {
    const { id, profile } = session;
    await this.#parts.store.settleProfile(id);
    this.#parts.log.error(
      { session: id, profile: profile.save, reason },
      'profile could not be saved; an earlier save is kept',
    );
    return true;
  }

  /** Null if its container is not running. */
  async #agentOf(session: Session): Promise<AgentHttp | null> {
    const { fleet, tokens } = this.#parts;
    const { id, region } = session;
    const endpoint = (await fleet.at(region)?.find(id))?.endpoint ?? null;
    return endpoint === null ? null : new AgentHttp({ ...endpoint, secret: tokens.of(session, 'link') });
  }
}

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
      // A device's data are complete only when it was shut down.
      if (kindOf(session.launch.kind).profile === 'android') continue;
      const controller = new AbortController();
      const done = this.#make(sessionId, keyOf(session, save), withDeadline(ATTEMPT_MS, controller.signal));
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

/** What a session's profile is saved as. */
const keyOf = ({ launch }: Session, save: string): ProfileKey => ({ id: save, kind: kindOf(launch.kind).profile });
