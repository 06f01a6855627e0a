import { readFileSync } from 'node:fs';
import { PROFILE_FOLDER } from '../paths.js';

/** Whether Chromium recorded in its profile that its last run ended normally. */
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
