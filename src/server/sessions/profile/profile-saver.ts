import type { Logger } from 'pino';
import { withDeadline } from '../../lib/deadline.js';
import type { Fleet } from '../../engines/index.js';
import { AgentHttp } from '../../agent-link/index.js';
import type { Profiles } from '../../profiles/index.js';
import type { ProfileKey, SessionStore } from '../../store/index.js';
import { kindOf, ProfileError, type Session, type Tokens } from '../../model/index.js';
import { clock } from '../../lib/clock.js';

/** After this long without success a profile is given up, so that its container does not stay for ever. */
const GIVE_UP_MS = 900_000;

export interface ProfileSaverOptions {
  profiles: Profiles;
  store: SessionStore;
  fleet: Fleet;
  tokens: Tokens;
  log: Logger;
}

/** Saves the profiles of ended sessions from containers that still exist. */
export class ProfileSaver {
  readonly #options: ProfileSaverOptions;
  readonly #underWay = new Set<Promise<boolean>>();
  readonly #stopped = new AbortController();

  constructor(options: ProfileSaverOptions) {
    this.#options = options;
  }

  /**
   * Saves the profile of an ended session, if there is one to save; never rejects. A failed save stays marked in the
   * store, to be retried. Not to be called again for the session meanwhile.
   * @returns whether its container is no longer needed
   */
  save(session: Session): Promise<boolean> {
    const saving = this.#save(session).finally(() => this.#underWay.delete(saving));
    this.#underWay.add(saving);
    return saving;
  }

  /** Aborts saves in progress; the marks stay. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('The service is stopping.'));
    await Promise.all(this.#underWay);
  }

  async #save(session: Session): Promise<boolean> {
    const { profiles, log } = this.#options;
    const { save, pending } = session.profile;
    if (save === null || pending === null) return true;
    try {
      // Saved meanwhile: the row may have been read before its container was looked up.
      if (!(await this.#isPending(session))) return true;
      const agent = await this.#agentOf(session);
      if (agent === null) return await this.#giveUp(session, 'the container is gone');
      const key = keyOf(session, save);
      const signal = withDeadline(kindOf(session.launch.kind).profile.attemptMs, this.#stopped.signal);
      const confirm = async () => {
        if (!(await this.#isPending(session))) throw new Error('The profile is no longer to be saved.');
      };
      await profiles.save(key, agent, { signal, confirm });
      await this.#options.store.settleProfile(session, clock.now());
      log.info({ session: session.id, profile: save }, 'profile saved');
      return true;
    } catch (error) {
      if (this.#stopped.signal.aborted) return false;
      log.error({ err: error, session: session.id, profile: save }, 'profile not saved');
      if (error instanceof ProfileError && error.failure === 'damaged') return this.#giveUp(session, error.message);
      return this.#failed(session, pending);
    }
  }

  async #failed(session: Session, pending: number): Promise<boolean> {
    try {
      if (!(await this.#isPending(session))) return true;
      if ((await this.#agentOf(session)) === null) return await this.#giveUp(session, 'the container died');
      if (clock.now() - pending > GIVE_UP_MS) return await this.#giveUp(session, 'it took too long');
    } catch (error) {
      this.#options.log.warn({ err: error, session: session.id }, 'profile not saved yet');
    }
    return false;
  }

  async #giveUp(session: Session, reason: string): Promise<true> {
    const { id, profile } = session;
    await this.#options.store.settleProfile(session, null);
    this.#options.log.error(
      { session: id, profile: profile.save, reason },
      'profile could not be saved; an earlier save is kept',
    );
    return true;
  }

  async #isPending({ id }: Session): Promise<boolean> {
    return ((await this.#options.store.find(id))?.profile.pending ?? null) !== null;
  }

  /** Null if its container is not running. */
  async #agentOf(session: Session): Promise<AgentHttp | null> {
    const { fleet, tokens } = this.#options;
    const { id, region } = session;
    const endpoint = (await fleet.at(region)?.find(id))?.endpoint ?? null;
    return endpoint === null ? null : new AgentHttp({ ...endpoint, secret: tokens.of(session, 'link') });
  }
}

/** What a session's profile is saved as. */
export const keyOf = ({ launch, tenantId }: Session, save: string): ProfileKey => ({
  id: save,
  tenantId,
  kind: kindOf(launch.kind).profile.kind,
});
