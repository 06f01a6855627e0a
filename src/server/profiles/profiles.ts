import type { Config, ProfileStorageConfig, S3Config } from '../config/index.js';
import { type AgentAnswer, type AgentRequests, ProfileError, type ProfileKind, profileTraits } from '../model/index.js';
import type { Keyring } from '../secrets/index.js';
import type { ProfileKey, ProfileStore } from '../store/index.js';
import { EncryptedStore, type Writing } from './encrypted-store.js';
import { FolderStorage, type Storage } from './storage.js';
import { clock } from '../lib/clock.js';

/** Allowance for archive overhead. */
const ARCHIVE_MB = 64;

/** Metrics of profiles. */
export interface ProfileMetrics {
  /** Duration of saving a profile at the end of its session, milliseconds. */
  saved(ms: number): void;
  failed(): void;
}

/** Moves profiles between the store and sessions' agents. */
export class Profiles {
  readonly #encrypted: EncryptedStore;
  readonly #store: ProfileStore;
  readonly #metrics: ProfileMetrics;
  readonly #deviceBytes: number | undefined;

  /** `deviceBytes`: size of the largest profile of a device; default is that of others. */
  constructor(encrypted: EncryptedStore, store: ProfileStore, metrics: ProfileMetrics, deviceBytes?: number) {
    this.#encrypted = encrypted;
    this.#store = store;
    this.#metrics = metrics;
    this.#deviceBytes = deviceBytes;
  }

  /** Whether the profile exists; if so, its expiry starts anew. */
  use(id: string): Promise<boolean> {
    return this.#store.used(id, clock.now());
  }

  /** Which kind of session saved a profile; null if it does not exist. */
  kindOf(id: string): Promise<ProfileKind | null> {
    return this.#store.kindOf(id);
  }

  /** Sends an agent the profile that its program waits for. @throws ProfileError */
  async load(id: string, agent: AgentRequests, signal: AbortSignal): Promise<void> {
    const body = await this.#encrypted.read(id);
    try {
      const answer = await agent.send({ method: 'PUT', path: '/profile', body, signal });
      answer.destroy();
      if (answer.statusCode === 204) return;
      if (answer.statusCode === 412)
        throw new ProfileError('wrong_device', 'The profile was saved with another system image or emulator.');
      if (answer.statusCode === 413) throw new ProfileError('too_large', 'The profile does not fit into a session.');
      throw new ProfileError('damaged', 'The profile cannot be unpacked.');
    } finally {
      body.destroy();
    }
  }

  /** Ends a session's program and saves its profile. @throws ProfileError, or what `confirm` throws */
  async save(key: ProfileKey, agent: AgentRequests, writing: Writing): Promise<void> {
    const begun = performance.now();
    try {
      const answer = await agent.send({ method: 'GET', path: '/profile', signal: writing.signal });
      await this.#write(key, answer, writing);
      this.#metrics.saved(performance.now() - begun);
    } catch (error) {
      this.#metrics.failed();
      throw error;
    }
  }

  /** Saves the profile of a running program, unless it is unchanged since `version`. @returns the version kept */
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
      answer.destroy();
      return version;
    }
    await this.#write(key, answer, writing);
    return answer.headers.etag;
  }

  /**
   * Deletes a profile, unless a session uses it or is going to. One whose deletion was interrupted is deleted by the next
   * call, or with those that expire.
   * @throws ProfileError if it cannot be deleted now; no session can load it any more then
   */
  async delete(id: string): Promise<'deleted' | 'unknown' | 'in_use'> {
    if (!(await this.#store.withdraw(id, Number.MAX_SAFE_INTEGER)))
      return (await this.#store.find(id)) === null ? 'unknown' : 'in_use';
    try {
      await this.#encrypted.remove(id);
    } catch (error) {
      throw new ProfileError('unavailable', 'The kept profiles cannot be reached; try again later.', error);
    }
    await this.#store.remove(id);
    return 'deleted';
  }

  /**
   * Deletes profiles that were last used before `time`, and remains of interrupted writes. `deleted` is called for
   * each. Returns their number.
   */
  async expire(time: number, deleted: (id: string) => void = () => {}): Promise<number> {
    let count = 0;
    for (const id of await this.#store.expired(time)) {
      // A session may have begun to use it since.
      if (!(await this.#store.withdraw(id, time))) continue;
      await this.#encrypted.remove(id);
      await this.#store.remove(id);
      deleted(id);
      count++;
    }
    await this.#encrypted.tidy();
    return count;
  }

  #limitOf({ kind }: ProfileKey): Pick<Writing, 'maxBytes'> {
    return profileTraits(kind).space === 'device' && this.#deviceBytes !== undefined
      ? { maxBytes: this.#deviceBytes }
      : {};
  }

  async #write(key: ProfileKey, answer: AgentAnswer, writing: Writing): Promise<void> {
    if (answer.statusCode !== 200) {
      answer.destroy();
      if (answer.statusCode === 410)
        throw new ProfileError('damaged', 'The device was not shut down, so that its data are incomplete.');
      throw new ProfileError('unavailable', `The agent answered ${answer.statusCode ?? 'nothing'}.`);
    }
    const bytes = await this.#encrypted.write(key.id, answer, { ...writing, ...this.#limitOf(key) });
    await this.#store.saved(key, bytes, clock.now());
  }
}

/**
 * Creates the configured profile store. No profile can be larger than a session's home folder, or an emulator's device,
 * whatever its agent sends.
 */
export function createProfiles(
  { profiles, limits, android, caCertificates }: Config,
  keyring: Keyring,
  store: ProfileStore,
  metrics: ProfileMetrics,
): Profiles {
  const maxBytes = (limits.homeMb + ARCHIVE_MB) * 1_048_576;
  // Its disk as it began, and what changed of it.
  const deviceBytes = (2 * android.emulator.diskMb + ARCHIVE_MB) * 1_048_576;
  return new Profiles(
    new EncryptedStore(openStorage(profiles.storage, caCertificates), keyring, maxBytes),
    store,
    metrics,
    deviceBytes,
  );
}

function openStorage(config: ProfileStorageConfig, caCertificates: readonly string[]): Storage {
  return config.type === 'folder' ? new FolderStorage(config.folder) : lazyS3(config, caCertificates);
}

/** Loads S3's dependencies on first use. */
function lazyS3(config: S3Config, caCertificates: readonly string[]): Storage {
  let opened: Promise<Storage> | undefined;
  const storage = () => (opened ??= import('./s3.js').then(({ S3Storage }) => new S3Storage(config, caCertificates)));
  return {
    write: async (id, content, signal) => (await storage()).write(id, content, signal),
    read: async id => (await storage()).read(id),
    remove: async id => (await storage()).remove(id),
    tidy: async () => (await storage()).tidy(),
  };
}
