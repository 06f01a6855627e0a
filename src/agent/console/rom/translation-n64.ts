/** The header and the boot code, and the beginning of the program, which sets its exceptions up. */
const BOOT = { from: 0x40, to: 0x1000 };
const BEGINNING = { from: 0x1000, to: 0x2000 };

/** How much of a cartridge `isTranslatable` needs, bytes. */
export const TRANSLATION_BYTES = BEGINNING.to;

/** Instructions without their registers: lui of the RDRAM interface's address, lw of its register SELECT, sw. */
const LUI_RI = 0x3c00a470;
const LW_SELECT = 0x8c00000c;
const SW = 0xac000000;

/** Where the console looks for the code of its exceptions, beyond the first place. */
const VECTORS = [0x80, 0x100, 0x180];

/**
 * Whether mupen64plus can translate a program of the n64, by the beginning of its cartridge (in the chip's order). Its
 * translator goes on with what it has translated if a program replaces code past the cache. libdragon does that with
 * the code of its exceptions, which lies where a console's boot code has run: older versions right at the beginning,
 * newer ones have a boot code of their own, which looks at the RDRAM interface.
 */
export function isTranslatable(head: Buffer): boolean {
  const boot = words(head, BOOT);
  const beginning = words(head, BEGINNING);
  return !boot.some((_, at) => readsSelect(boot, at)) && !beginning.some((_, at) => storesVectors(beginning, at));
}

function words(head: Buffer, { from, to }: typeof BOOT): number[] {
  const end = Math.min(to, head.length - 3);
  return Array.from({ length: Math.max(0, Math.ceil((end - from) / 4)) }, (_, index) =>
    head.readUInt32BE(from + index * 4),
  );
}

const target = (word: number) => (word >>> 16) & 31;
const base = (word: number) => (word >>> 21) & 31;
/** Instructions as unsigned numbers, the way they are read. */
const masked = (word: number, mask: number) => (word & mask) >>> 0;

function readsSelect(code: readonly number[], at: number): boolean {
  const [first = 0, second = 0] = code.slice(at, at + 2);
  return (
    masked(first, 0xffe0ffff) === LUI_RI && masked(second, 0xfc00ffff) === LW_SELECT && target(first) === base(second)
  );
}

function storesVectors(code: readonly number[], at: number): boolean {
  const [first = 0, ...others] = code.slice(at, at + 1 + VECTORS.length);
  return masked(first, 0xfc00ffff) === SW && VECTORS.every((offset, index) => others[index] === first + offset);
}
