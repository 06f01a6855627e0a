import { renameSync, writeFileSync } from 'node:fs';
import { PREFERENCES } from '../paths.js';
import { textOf } from '../profile/text-of.js';

interface Preferences {
  profile?: { exit_type?: unknown };
}

/** Whether Chromium recorded in its profile that its last run ended normally. */
export function exitedNormally(path = PREFERENCES): boolean {
  return read(path)?.profile?.exit_type === 'Normal';
}

/**
 * Removes from the profile of a Chromium that has ended how it did. After a crash, Chromium writes no tabs down until
 * those of before are restored or a second window is opened, so that the ones of before are not lost.
 */
export function forgetExit(path = PREFERENCES): void {
  const preferences = read(path);
  if (preferences?.profile?.exit_type === undefined) return;
  delete preferences.profile.exit_type;
  // Killed while it writes, it leaves the old file.
  writeFileSync(`${path}.new`, JSON.stringify(preferences), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Undefined if there are none, or they cannot be read. */
function read(path: string): Preferences | undefined {
  try {
    const value: unknown = JSON.parse(textOf(path));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
