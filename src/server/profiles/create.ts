import type { Config } from '../config.js';
import type { Keyring } from '../secrets/keyring.js';
import type { ProfileStore } from '../store/profiles.js';
import { Profiles, type ProfileMetrics } from './index.js';
import { lazyStorage } from './storage.js';
import { Vault } from './vault.js';

/** What an archive adds to the files in it, and to spare. */
const ARCHIVE_MB = 64;

/** Profiles as they are configured. None can be larger than a session's home folder, whatever its agent sends. */
export function createProfiles(
  { profiles, limits }: Config,
  keyring: Keyring,
  store: ProfileStore,
  metrics: ProfileMetrics,
): Profiles {
  const maxBytes = (limits.homeMb + ARCHIVE_MB) * 1_048_576;
  return new Profiles(new Vault(lazyStorage(profiles.storage), keyring, maxBytes), store, metrics);
}
