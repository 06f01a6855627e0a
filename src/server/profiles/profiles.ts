import type { IncomingMessage } from 'node:http';
import { type AgentRequests, ProfileError, type ProfileKind } from '../model/index.js';
import type { ProfileKey, ProfileStore } from '../store/index.js';
import type { EncryptedStore, Writing } from './encrypted-store.js';

/** What is counted of profiles. */
export interface ProfileMetrics {
  /** A profile was saved at the end of its session: how long it took, milliseconds. */
  saved(ms: number): void;
  failed(): void;
}

/** Profiles on their way between the vault and the agents of sessions. */
export class Profiles {
  readonly #encrypted: EncryptedStore;
  readonly #store: ProfileStore;
  readonly #metrics: ProfileMetrics;

  constructor(encrypted: EncryptedStore, store: ProfileStore, metrics: ProfileMetrics) {
    this.#encrypted = encrypted;
    this.#store = store;
    this.#metrics = metrics;
  }

  /** Whether there is such a profile; its time of expiry counts anew. */
  use(id: string): Promise<boolean> {
    return this.#store.used(id, Date.now());
  }

  /** What has saved a profile; null where there is none. */
  kindOf(id: string): Promise<ProfileKind | null> {
    return this.#store.kindOf(id);
  }

  /** Gives an agent the profile that its program waits for. @throws ProfileError */
  async load(id: string, agent: AgentRequests, signal: AbortSignal): Promise<void> {
    const body = await this.#encrypted.read(id);
    try {
      const answer = await agent.send({ method: 'PUT', path: '/profile', body, signal });
      answer.resume();
      if (answer.statusCode === 204) return;
      if (answer.statusCode === 413) throw new ProfileError('too_large', 'The profile does not fit into a session.');
      throw new ProfileError('damaged', 'The profile cannot be unpacked.');
    } finally {
      body.destroy();
    }
  }

  /** Ends a session's program and keeps its profile. @throws ProfileError */
  async save(key: ProfileKey, agent: AgentRequests, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    try {
      const answer = await agent.send({ method: 'GET', path: '/profile', signal });
      await this.#keep(key, answer, { signal });
      this.#metrics.saved(performance.now() - begun);
    } catch (error) {
      this.#metrics.failed();
      throw error;
    }
  }

  /**
   * Keeps the profile of a program that goes on, unless it is as it was when `version` was given out.
   * @returns the version kept
   */
  async checkpoint(
    key: ProfileKey,
    agent: AgentRequests,
    version: string | undefined,
    writing: Writing,
  ): Promise<string | undefined> {
    const headers = version === undefined ? {} : { 'if-none-match': version };
    const { signal } = writing;
    const answer = await agent.send({ method: 'GET', path: '/profile?live=1', headers, signal });
    if (answer.statusCode === 304) {
      answer.resume();
      return version;
    }
    await this.#keep(key, answer, writing);
    return answer.headers.etag;
  }

  /**
   * Forgets profiles that were last used before `time`, and what cut-off writings left. `deleted` is told of each.
   * Gives their number.
   */
  async expire(time: number, deleted: (id: string) => void = () => {}): Promise<number> {
    const ids = await this.#store.expired(time);
    for (const id of ids) {
      await this.#encrypted.remove(id);
      await this.#store.remove(id);
      deleted(id);
    }
    await this.#encrypted.tidy();
    return ids.length;
  }

  async #keep(key: ProfileKey, answer: IncomingMessage, writing: Writing): Promise<void> {
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new ProfileError('unavailable', `The agent answered ${answer.statusCode ?? 'nothing'}.`);
    }
    const bytes = await this.#encrypted.write(key.id, answer, writing);
    await this.#store.saved(key, bytes, Date.now());
  }
}
