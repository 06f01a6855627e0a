import { readFileSync } from 'node:fs';
import { PROFILE_FOLDER } from '../paths.js';

/** Whether Chromium has written into its profile that its last run ended as it should. */
export function exitedNormally(folder = PROFILE_FOLDER): boolean {
  try {
    const { profile } = JSON.parse(readFileSync(`${folder}/Default/Preferences`, 'utf8')) as {
      profile?: { exit_type?: unknown };
    };
    return profile?.exit_type === 'Normal';
  } catch {
    return false;
  }
}
