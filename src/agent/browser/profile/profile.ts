import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { ChromiumOptions, LaunchChromium } from '../../../protocol/generated/schemas.js';
import type { ProfileContent } from '../../profile/archive.js';
import { DEFAULT_PROFILE, DOWNLOAD_FOLDER, POLICY_FOLDER, PREFERENCES, PROFILE_FOLDER } from '../paths.js';
import { policies } from '../launch/policies.js';
import { preferences, restoredPreferences, singleProfileState } from '../launch/preferences.js';
import { textOf } from './text-of.js';

/** Locks left by a killed Chromium; they would prevent the next one from starting. */
const LOCKS = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'];

/** The tabs of earlier runs. */
const SESSIONS = `${PROFILE_FOLDER}/${DEFAULT_PROFILE}/Sessions`;
const POLICY_FILE = `${POLICY_FOLDER}/berth.json`;
const STATE = `${PROFILE_FOLDER}/Local State`;

/** What is known of a session's profile besides its launch. */
interface ProfileFacts {
  /** Whether it is a saved one. */
  readonly isLoaded: boolean;
  /** Certificates of authorities that its browser trusts besides the usual ones, in base64. */
  readonly caCertificates: readonly string[];
}

/**
 * Writes what Chromium reads at its first start: policies, preferences, folders. A loaded profile keeps its own. Chromium
 * waits for this, and calls that leave the thread would wait for their turn among all that starts meanwhile.
 */
export function prepareProfile(
  { chromium: options, display }: LaunchChromium,
  { isLoaded, caCertificates }: ProfileFacts,
): void {
  for (const folder of [`${PROFILE_FOLDER}/${DEFAULT_PROFILE}`, POLICY_FOLDER, DOWNLOAD_FOLDER]) {
    mkdirSync(folder, { recursive: true });
  }
  writePolicies(options, caCertificates);
  const made = isLoaded ? restoredPreferences(textOf(PREFERENCES), options, display) : preferences(options, display);
  writeFileSync(PREFERENCES, JSON.stringify(made), { mode: 0o600 });
  writeFileSync(`${PROFILE_FOLDER}/First Run`, '');
  if (!isLoaded) return;
  writeFileSync(STATE, JSON.stringify(singleProfileState(textOf(STATE))), { mode: 0o600 });
  // The requested page is opened instead of earlier tabs.
  if (options.start_url !== undefined) rmSync(SESSIONS, { recursive: true, force: true });
}

/** Writes the policies of a session, which a running Chromium follows within seconds. */
export function writePolicies(options: ChromiumOptions, caCertificates: readonly string[]): void {
  const text = JSON.stringify(policies(options, caCertificates));
  if (text !== textOf(POLICY_FILE)) writeFileSync(POLICY_FILE, text);
}

/** Removes the locks of a Chromium that no longer runs. */
export async function unlockProfile(): Promise<void> {
  await Promise.all(LOCKS.map(name => rm(`${PROFILE_FOLDER}/${name}`, { force: true })));
}

/** What is kept, directly below Chromium's data folder. */
const TOP: readonly string[] = ['Default', 'Local State'];

/** Recreated by Chromium. */
const CACHES = new Set([
  'Cache',
  'Code Cache',
  'GPUCache',
  'DawnCache',
  'DawnGraphiteCache',
  'DawnWebGPUCache',
  'GrShaderCache',
  'GraphiteDawnCache',
  'ShaderCache',
  'Shared Dictionary',
  'blob_storage',
  'optimization_guide_hint_cache_store',
  'optimization_guide_model_store',
  'BudgetDatabase',
  'Safe Browsing Network',
  'Site Characteristics Database',
  'Segmentation Platform',
  'LOCK',
  'LOG',
  'LOG.old',
]);

/** Which parts of Chromium's data folder belong to a profile. */
export const chromiumContent = (folder = PROFILE_FOLDER): ProfileContent => ({
  folder,
  keeps(path) {
    const parts = path.split('/');
    return TOP.includes(parts[0] ?? '') && !parts.some(part => CACHES.has(part));
  },
});
