const KILOBYTE = 1024;

/** What devices that read cartridges of the snes put before them. Emulators do not all pass over it. */
export const COPIER_HEADER_BYTES = 512;
export const hasCopierHeader = (size: number) => size % KILOBYTE === COPIER_HEADER_BYTES;

/** Where the two layouts of cartridges have their header. */
const HEADERS = [0x7fc0, 0xffc0];
/** In it: the layout, the complement of the sum over the cartridge, and that sum. */
const LAYOUT = 0x15;
const COMPLEMENT = 0x1c;
const SUM = 0x1e;

/** Whether a file that begins so has the header that cartridges of the snes had, with or without a copier's before it. */
export const hasSnesHeader = (head: Buffer): boolean =>
  [0, COPIER_HEADER_BYTES].some(before => HEADERS.some(at => isHeader(head.subarray(before + at))));

function isHeader(header: Buffer): boolean {
  if (header.length < SUM + 2) return false;
  const [layout, complement, sum] = [
    header.readUInt8(LAYOUT),
    header.readUInt16LE(COMPLEMENT),
    header.readUInt16LE(SUM),
  ];
  return (layout & 0xe0) === 0x20 && (complement ^ sum) === 0xffff;
}
