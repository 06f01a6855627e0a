import { EXTENSION_LIMITS } from '../../protocol/extension-archive.js';
import { zipContent, zipEntries, ZipError } from '../../protocol/zip.js';
import { zipOf } from './crx.js';
import { ExtensionError } from './errors.js';
import { checkManifest, MANIFEST_MAX_BYTES } from './manifest.js';

const MANIFEST = 'manifest.json';

/**
 * Checks an extension's package, `.zip` or `.crx`, completely, and returns it as the zip archive that agents expect.
 * This is CPU-intensive: the service uses `inspectExtension`.
 * @throws ExtensionError
 */
export async function checkExtension(archive: Buffer): Promise<Buffer> {
  try {
    const zip = zipOf(archive);
    const entries = zipEntries(zip, EXTENSION_LIMITS);
    const manifest = entries.find(({ path, folder }) => path === MANIFEST && !folder);
    if (manifest === undefined) throw new ExtensionError('extension_invalid', `It has no ${MANIFEST} at its root.`);
    if (manifest.size > MANIFEST_MAX_BYTES)
      throw new ExtensionError('extension_invalid', `Its ${MANIFEST} has more than ${MANIFEST_MAX_BYTES} bytes.`);
    checkManifest((await zipContent(zip, manifest)).toString());
    for (const entry of entries) await zipContent(zip, entry);
    return zip;
  } catch (error) {
    if (error instanceof ZipError) throw new ExtensionError('extension_invalid', error.message);
    throw error;
  }
}
