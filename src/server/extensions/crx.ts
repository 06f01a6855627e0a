import { ZipError } from '../../protocol/zip.js';

const MAGIC = 'Cr24';

/** The zip archive in an extension's package, which is one already unless it is a `.crx`. @throws ZipError */
export function zipOf(archive: Buffer): Buffer {
  if (archive.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return archive;
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
