import { renameSync, writeFileSync } from 'node:fs';
import { PREFERENCES } from '../paths.js';
import { textOf } from '../profile/text-of.js';
import { parsed, treeOf } from './preferences.js';

/** Whether Chromium recorded in its profile that its last run ended normally. */
export function exitedNormally(path = PREFERENCES): boolean {
  return treeOf(parsed(textOf(path))['profile'])['exit_type'] === 'Normal';
}

/**
 * Removes from the profile of a Chromium that has ended how it did. After a crash, Chromium writes no tabs down until
 * those of before are restored or a second window is opened, so that the ones of before are not lost.
 */
export function forgetExit(path = PREFERENCES): void {
  const preferences = parsed(textOf(path));
  const { exit_type: ending, ...profile } = treeOf(preferences['profile']);
  if (ending === undefined) return;
  // Killed while it writes, it leaves the old file.
  writeFileSync(`${path}.new`, JSON.stringify({ ...preferences, profile }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
