import { EXTENSION_ID } from '../../protocol/extension.js';
import { idOfKey } from '../../protocol/extension-id.js';
import { parseManifest } from '../../protocol/extension-manifest.js';
import { ExtensionError } from './errors.js';

const VERSION = 3;

/** Largest manifest, bytes. */
export const MANIFEST_MAX_BYTES = 256 * 1024;

/** Checks what Chromium requires of an extension's manifest. @throws ExtensionError */
export function checkManifest(text: string): void {
  const manifest = parseManifest(text);
  if (manifest === null) throw invalid('it must be a JSON object');
  const { manifest_version: version = 1, name, version: release, key } = manifest;
  if (typeof version === 'number' && version < VERSION) {
    const message = `Its manifest_version is ${version}: Chromium no longer runs Manifest V2; move it to Manifest V3.`;
    throw new ExtensionError('extension_unsupported', message);
  }
  if (version !== VERSION) throw invalid(`"manifest_version" must be ${VERSION}`);
  if (typeof name !== 'string' || name === '') throw invalid('"name" must be a text');
  if (typeof release !== 'string' || !/^\d{1,5}(\.\d{1,5}){0,3}$/.test(release))
    throw invalid('"version" must be one to four numbers with dots between them');
  // Of two extensions with the same ID, Chromium keeps one, and a session needs its own.
  if (typeof key === 'string' && idOfKey(key) === EXTENSION_ID)
    throw invalid('"key" is that of the extension by which sessions are controlled; remove it');
}

const invalid = (what: string) => new ExtensionError('extension_invalid', `Its manifest.json is not valid: ${what}.`);
