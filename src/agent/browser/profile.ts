import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { ChromiumOptions } from '../../protocol/generated/schemas.js';
import { DOWNLOAD_FOLDER, POLICY_FOLDER, PROFILE_FOLDER } from './paths.js';
import { policies } from './policies.js';
import { preferences } from './preferences.js';

/** Left by a Chromium that was killed; they would keep the next one from starting. */
const LOCKS = ['SingletonLock', 'SingletonCookie', 'SingletonSocket'];

/** Lays down what Chromium reads at its first start: policies, preferences, folders. */
export async function prepareProfile(options: ChromiumOptions): Promise<void> {
  await Promise.all([
    mkdir(`${PROFILE_FOLDER}/Default`, { recursive: true }),
    mkdir(POLICY_FOLDER, { recursive: true }),
    mkdir(DOWNLOAD_FOLDER, { recursive: true }),
  ]);
  await Promise.all([
    writeFile(`${POLICY_FOLDER}/berth.json`, JSON.stringify(policies(options))),
    writeFile(`${PROFILE_FOLDER}/Default/Preferences`, JSON.stringify(preferences(options)), { mode: 0o600 }),
    writeFile(`${PROFILE_FOLDER}/First Run`, ''),
  ]);
}

/** Removes the locks of a Chromium that is gone. */
export async function unlockProfile(): Promise<void> {
  await Promise.all(LOCKS.map(name => rm(`${PROFILE_FOLDER}/${name}`, { force: true })));
}
