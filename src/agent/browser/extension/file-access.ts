import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { EXTENSION_ID } from '../../../protocol/extension.js';
import { idOfFolder, idOfKey } from '../../../protocol/extension-id.js';
import { parseManifest } from '../../../protocol/extension-manifest.js';
import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';
import { textOf } from '../profile/text-of.js';
import { extensionFolder, extensionNames } from './extensions.js';
import { PREFERENCES } from '../paths.js';
import { parsed, treeOf, type Tree } from '../launch/preferences.js';

/** Chromium's name for an extension's switch "Allow access to file URLs". */
const SWITCH = 'newAllowFileAccess';

/** The internal extension passes files to pages and needs the switch. */
const INTERNAL: ReadonlySet<string> = new Set([EXTENSION_ID, idOfFolder(extensionFolder('internal'))]);

/**
 * Denies extensions access to the container's files: those with these IDs, which Chromium would allow by default since
 * they are loaded from folders, and all others in the preferences.
 */
export function withoutFileAccess(preferences: Tree, ids: readonly string[]): Tree {
  const extensions = treeOf(preferences['extensions']);
  const settings = treeOf(extensions['settings']);
  const denied = [...Object.keys(settings), ...ids].filter(id => !INTERNAL.has(id));
  const changed = denied.map(id => [id, { ...treeOf(settings[id]), [SWITCH]: false }] as const);
  return { ...preferences, extensions: { ...extensions, settings: { ...settings, ...Object.fromEntries(changed) } } };
}

/**
 * Writes that to the preferences before each start of Chromium, which forgets a removed extension and loads it again at
 * the next start.
 */
export function denyFileAccess(options: ChromiumOptions): void {
  const written = `${PREFERENCES}.new`;
  const preferences = withoutFileAccess(parsed(textOf(PREFERENCES)), idsOf(options));
  writeFileSync(written, JSON.stringify(preferences), { mode: 0o600 });
  renameSync(written, PREFERENCES);
}

/** Chromium looks up the switch by the folder's ID when it loads an extension, and by its key's ID later. */
function idsOf(options: ChromiumOptions): string[] {
  const ids = extensionNames(options).map(name => idOfFolder(extensionFolder(name)));
  if (!options.extension) return ids;
  const key = parseManifest(readFileSync(`${extensionFolder('custom')}/manifest.json`, 'utf8'))?.['key'];
  return typeof key === 'string' ? [...ids, idOfKey(key)] : ids;
}
