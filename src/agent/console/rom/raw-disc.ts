import { open, type FileHandle } from 'node:fs/promises';

export const DATA_BYTES = 2048;
export const SECTOR_BYTES = 2352;
/** Where a sector has its data, and the sum over it. */
export const DATA_AT = 24;
const SUM_AT = DATA_AT + DATA_BYTES;
/** The data is summed up together with what says of which kind it is. */
const SUMMED_FROM = 16;
const SYNC = Buffer.from('00ffffffffffffffffffff00', 'hex');
const MODE_2 = 2;
/** A sector of data, twice. */
const SUBHEADER = Buffer.from('0000080000000800', 'hex');
/** Discs begin two seconds after the first sector that there could be. */
const FIRST_SECTOR = 150;
const SECTORS_A_SECOND = 75;
const AT_ONCE = 512;

const SUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xd8018001 : 0);
  return sum >>> 0;
});

/**
 * Makes the raw image of a disc (mode 2, form 1) out of one that has its sectors' data only: emulators of the ps1 read
 * no other. The codes by which scratches are mended stay empty.
 */
export async function makeRaw(iso: string, raw: string): Promise<void> {
  const source = await open(iso);
  try {
    const target = await open(raw, 'w');
    await copySectors(source, target).finally(() => target.close());
  } finally {
    await source.close();
  }
}

async function copySectors(source: FileHandle, target: FileHandle): Promise<void> {
  const data = Buffer.alloc(AT_ONCE * DATA_BYTES);
  const sectors = Buffer.alloc(AT_ONCE * SECTOR_BYTES);
  for (let first = 0; ; first += AT_ONCE) {
    const { bytesRead } = await source.read(data, 0, data.length, first * DATA_BYTES);
    const count = Math.ceil(bytesRead / DATA_BYTES);
    if (count === 0) return;
    data.fill(0, bytesRead);
    for (let i = 0; i < count; i++) {
      const sector = sectors.subarray(i * SECTOR_BYTES, (i + 1) * SECTOR_BYTES);
      writeSector(sector, first + i, data.subarray(i * DATA_BYTES, (i + 1) * DATA_BYTES));
    }
    await target.write(sectors, 0, count * SECTOR_BYTES, first * SECTOR_BYTES);
  }
}

/** Writes the sector with a number, counted from the beginning of the data. */
export function writeSector(sector: Buffer, number: number, data: Buffer): void {
  const place = number + FIRST_SECTOR;
  const seconds = Math.floor(place / SECTORS_A_SECOND);
  SYNC.copy(sector);
  sector[12] = decimal(Math.floor(seconds / 60));
  sector[13] = decimal(seconds % 60);
  sector[14] = decimal(place % SECTORS_A_SECOND);
  sector[15] = MODE_2;
  SUBHEADER.copy(sector, SUMMED_FROM);
  data.copy(sector, DATA_AT);
  sumUp(sector);
}

/** Updates the checksum of a sector (mode 2, form 1). */
function sumUp(sector: Buffer): void {
  let sum = 0;
  for (let at = SUMMED_FROM; at < SUM_AT; at++) sum = (SUMS[(sum ^ (sector[at] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8);
  sector.writeUInt32LE(sum >>> 0, SUM_AT);
}

/** Two decimal digits, one in each half of a byte. */
const decimal = (number: number) => (Math.floor(number / 10) << 4) | (number % 10);
