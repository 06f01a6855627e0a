import type { Config } from '../config/index.js';
import type { Keyring } from '../secrets/index.js';
import type { ProfileStore } from '../store/index.js';
import { Profiles, type ProfileMetrics } from './profiles.js';
import { lazyStorage } from './storage.js';
import { EncryptedStore } from './encrypted-store.js';

/** Allowance for archive overhead. */
const ARCHIVE_MB = 64;

/**
 * Creates the configured profile store. No profile can be larger than a session's home folder, whatever its agent
 * sends.
 */
export function createProfiles(
  { profiles, limits }: Config,
  keyring: Keyring,
  store: ProfileStore,
  metrics: ProfileMetrics,
): Profiles {
  const maxBytes = (limits.homeMb + ARCHIVE_MB) * 1_048_576;
  return new Profiles(new EncryptedStore(lazyStorage(profiles.storage), keyring, maxBytes), store, metrics);
}
