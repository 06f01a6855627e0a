import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';
import type { ProfileContent } from '../../profile/archive.js';
import { DEFAULT_PROFILE, DOWNLOAD_FOLDER, POLICY_FOLDER, PREFERENCES, PROFILE_FOLDER } from '../paths.js';
import { policies } from '../launch/policies.js';
import { preferences, restoredPreferences, singleProfileState } from '../launch/preferences.js';

/** Locks left by a killed Chromium; they would prevent the next one from starting. */
const LOCKS = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'];

/** The tabs of earlier runs. */
const SESSIONS = `${PROFILE_FOLDER}/${DEFAULT_PROFILE}/Sessions`;
const STATE = `${PROFILE_FOLDER}/Local State`;

/** Writes what Chromium reads at its first start: policies, preferences, folders. A loaded profile keeps its own. */
export async function prepareProfile(options: ChromiumOptions, loaded: boolean): Promise<void> {
  await Promise.all([
    mkdir(`${PROFILE_FOLDER}/${DEFAULT_PROFILE}`, { recursive: true }),
    mkdir(POLICY_FOLDER, { recursive: true }),
    mkdir(DOWNLOAD_FOLDER, { recursive: true }),
  ]);
  await Promise.all([
    writeFile(`${POLICY_FOLDER}/berth.json`, JSON.stringify(policies(options))),
    writePreferences(options, loaded),
    ...(loaded ? [forgetOthers()] : []),
    // The requested page is opened instead of earlier tabs.
    ...(loaded && options.start_url !== undefined ? [rm(SESSIONS, { recursive: true, force: true })] : []),
    writeFile(`${PROFILE_FOLDER}/First Run`, ''),
  ]);
}

async function writePreferences(options: ChromiumOptions, loaded: boolean): Promise<void> {
  const saved = loaded ? await readFile(PREFERENCES, 'utf8').catch(() => '{}') : '{}';
  const made = loaded ? restoredPreferences(saved, options) : preferences(options);
  await writeFile(PREFERENCES, JSON.stringify(made), { mode: 0o600 });
}

async function forgetOthers(): Promise<void> {
  await writeFile(STATE, JSON.stringify(singleProfileState(await readFile(STATE, 'utf8').catch(() => '{}'))), {
    mode: 0o600,
  });
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
