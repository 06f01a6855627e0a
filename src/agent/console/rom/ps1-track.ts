import { open, type FileHandle } from 'node:fs/promises';
import { licence } from './ps1-licence.js';
import { endWithinField, isPal } from './ps1-program.js';
import { DATA_AT, DATA_BYTES, SECTOR_BYTES, sumUp, writeSector } from './raw-disc.js';

const LICENCE = 4;
const VOLUME = 16;
const MODE_AT = 15;
const MODE_2 = 2;
const FORM_AT = 18;
const FORM_2 = 0x20;
/** Number of sectors searched for programs: 4 MB. */
const LOOKED_AT = 2048;

/**
 * Adapts a disc image to BIOS and emulator: adds the licence text if it is missing, as in most homebrew, and makes the
 * pictures of its programs end within a field. Only raw data tracks (mode 2) with a file system are changed.
 */
export async function prepareTrack(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const sector = await rawSector(file, LICENCE);
    const volume = await rawSector(file, VOLUME);
    if (sector === null || volume?.toString('latin1', DATA_AT + 1, DATA_AT + 6) !== 'CD001') return;
    const sectors = Buffer.alloc(LOOKED_AT * SECTOR_BYTES);
    const { bytesRead } = await file.read(sectors, 0, sectors.length, VOLUME * SECTOR_BYTES);
    const count = Math.floor(bytesRead / SECTOR_BYTES);
    const data = Buffer.concat(Array.from({ length: count }, (_, i) => dataOf(sectors, i)));
    if (!/licensed\s*by/i.test(sector.toString('latin1', DATA_AT, DATA_AT + DATA_BYTES))) {
      const text = Buffer.alloc(DATA_BYTES);
      licence(isPal(data)).copy(text);
      writeSector(sector, LICENCE, text);
      await file.write(sector, 0, SECTOR_BYTES, LICENCE * SECTOR_BYTES);
    }
    const mended = endWithinField(data);
    if (mended !== null) await writeMended(file, sectors, mended);
  } finally {
    await file.close();
  }
}

/** Writes the sectors whose data has changed. */
async function writeMended(file: FileHandle, sectors: Buffer, mended: Buffer): Promise<void> {
  for (let i = 0; i * DATA_BYTES < mended.length; i++) {
    const data = mended.subarray(i * DATA_BYTES, (i + 1) * DATA_BYTES);
    const sector = sectors.subarray(i * SECTOR_BYTES, (i + 1) * SECTOR_BYTES);
    if (data.equals(dataOf(sectors, i)) || sector[MODE_AT] !== MODE_2 || ((sector[FORM_AT] ?? 0) & FORM_2) !== 0)
      continue;
    data.copy(sector, DATA_AT);
    sumUp(sector);
    await file.write(sector, 0, SECTOR_BYTES, (VOLUME + i) * SECTOR_BYTES);
  }
}

const dataOf = (sectors: Buffer, i: number) =>
  sectors.subarray(i * SECTOR_BYTES + DATA_AT, i * SECTOR_BYTES + DATA_AT + DATA_BYTES);

/** A raw sector of mode 2; null if there is none. */
async function rawSector(file: FileHandle, number: number): Promise<Buffer | null> {
  const sector = Buffer.alloc(SECTOR_BYTES);
  const { bytesRead } = await file.read(sector, 0, SECTOR_BYTES, number * SECTOR_BYTES);
  const isRaw = bytesRead === SECTOR_BYTES && sector.readUInt32BE() === 0x00ffffff && sector[MODE_AT] === MODE_2;
  return isRaw ? sector : null;
}
