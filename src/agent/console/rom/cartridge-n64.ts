const CHIP = '80371240';

/** What makes the chip's order of the bytes out of others, by the first four bytes of a cartridge of the n64. */
const ORDERS: Readonly<Record<string, (whole: Buffer) => Buffer>> = {
  [CHIP]: whole => whole,
  37804012: whole => whole.swap16(),
  40123780: whole => whole.swap32(),
  12408037: whole => whole.swap32().swap16(),
};

/** The extensions of the orders that have one of their own. */
const EXTENSIONS: Readonly<Record<string, string>> = { 37804012: 'v64', 40123780: 'n64' };

/** The header, and the code that the console runs before the game. */
const BOOT_BYTES = 0x1000;
const HEADER_BYTES = 0x40;
const ENTRY_AT = 8;

export const isBigEndian = (content: Buffer) => content.toString('hex', 0, 4) === CHIP;

/** Brings the bytes of a cartridge of the n64 into the chip's order, in place; null where it is not one. */
export function toBigEndian(content: Buffer): Buffer | null {
  const swap = ORDERS[content.toString('hex', 0, 4)];
  if (swap === undefined) return null;
  swap(content.subarray(0, content.length - (content.length % 4)));
  return content;
}

/**
 * Whether a file that begins so is a cartridge of the n64 in any order of its bytes: there is boot code, there is
 * something to boot, and it starts in memory. Names, checksums and clock rates say nothing: games that people make for
 * themselves leave them empty.
 */
export function isN64(head: Buffer, size: number): boolean {
  const boot = toBigEndian(Buffer.from(head.subarray(0, BOOT_BYTES)));
  if (boot === null || boot.length < BOOT_BYTES || size <= BOOT_BYTES) return false;
  const code = boot.subarray(HEADER_BYTES);
  const entry = boot.readUInt32BE(ENTRY_AT);
  return isInMemory(entry) && code.some(byte => byte !== code[0]);
}

/** The extension of a cartridge of the n64 by its order of bytes; null where it is not one. */
export const n64Format = (head: Buffer, size: number): string | null =>
  isN64(head, size) ? (EXTENSIONS[head.toString('hex', 0, 4)] ?? 'z64') : null;

/** Addresses that are the memory itself, cached or not; none at all leaves it to the boot code. */
const isInMemory = (address: number) => address === 0 || (address >= 0x80000000 && address < 0xc0000000);
