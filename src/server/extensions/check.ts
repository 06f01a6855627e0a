import { EXTENSION_LIMITS } from '../../protocol/extension-archive.js';
import { EXTENSION_ID } from '../../protocol/extension.js';
import { idOfKey } from '../../protocol/extension-id.js';
import { parseManifest } from '../../protocol/extension-manifest.js';
import { zipContent, zipEntries, ZipError } from '../../protocol/zip.js';

const MANIFEST = 'manifest.json';
const MANIFEST_VERSION = 3;

/** Largest manifest, bytes. */
const MANIFEST_MAX_BYTES = 256 * 1024;

/** How a `.crx` begins. */
const CRX = 'Cr24';

/** An extension that Chromium would not load; the message says why. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError';

  constructor(
    readonly failure: 'extension_invalid' | 'extension_unsupported',
    message: string,
  ) {
    super(message);
  }
}

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

/** The zip archive in an extension's package, which is one already unless it is a `.crx`. @throws ZipError */
function zipOf(archive: Buffer): Buffer {
  if (archive.subarray(0, CRX.length).toString('latin1') !== CRX) return archive;
  const start = archive.length < 16 ? NaN : startOf(archive);
  if (start <= archive.length) return archive.subarray(start);
  throw new ZipError('Its CRX header is damaged.');
}

/** Offset of the archive after the header of format 2 or 3; NaN if it is neither. */
function startOf(archive: Buffer): number {
  switch (archive.readUInt32LE(4)) {
    case 2:
      return 16 + archive.readUInt32LE(8) + archive.readUInt32LE(12);
    case 3:
      return 12 + archive.readUInt32LE(8);
    default:
      return NaN;
  }
}

/** Checks what Chromium requires of an extension's manifest. @throws ExtensionError */
function checkManifest(text: string): void {
  const manifest = parseManifest(text);
  if (manifest === null) throw invalid('it must be a JSON object');
  const { manifest_version: version = 1, name, version: release, key } = manifest;
  if (typeof version === 'number' && version < MANIFEST_VERSION) {
    const message = `Its manifest_version is ${version}: Chromium no longer runs Manifest V2; move it to Manifest V3.`;
    throw new ExtensionError('extension_unsupported', message);
  }
  if (version !== MANIFEST_VERSION) throw invalid(`"manifest_version" must be ${MANIFEST_VERSION}`);
  if (typeof name !== 'string' || name === '') throw invalid('"name" must be a text');
  if (typeof release !== 'string' || !/^\d{1,5}(\.\d{1,5}){0,3}$/.test(release))
    throw invalid('"version" must be one to four numbers with dots between them');
  // Of two extensions with the same ID, Chromium keeps one, and a session needs its own.
  if (typeof key === 'string' && idOfKey(key) === EXTENSION_ID)
    throw invalid('"key" is that of the extension by which sessions are controlled; remove it');
}

const invalid = (what: string) => new ExtensionError('extension_invalid', `Its manifest.json is not valid: ${what}.`);
