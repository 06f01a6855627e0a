import { open, type FileHandle } from 'node:fs/promises';
import { licence } from './ps1-licence.js';
import { isPal } from './ps1-program.js';
import { DATA_AT, DATA_BYTES, SECTOR_BYTES, writeSector } from './raw-disc.js';

const LICENCE = 4;
const VOLUME = 16;
const MODE_AT = 15;
const MODE_2 = 2;
/** Number of sectors searched for programs: 4 MB. */
const LOOKED_AT = 2048;

/**
 * Adds the licence text to a disc image that lacks it, as most homebrew does. Only raw data tracks (mode 2) with a file
 * system are changed.
 */
export async function prepareTrack(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const sector = await rawSector(file, LICENCE);
    const volume = await rawSector(file, VOLUME);
    if (sector === null || volume?.toString('latin1', DATA_AT + 1, DATA_AT + 6) !== 'CD001') return;
    if (/licensed\s*by/i.test(sector.toString('latin1', DATA_AT, DATA_AT + DATA_BYTES))) return;
    const text = Buffer.alloc(DATA_BYTES);
    licence(isPal(await dataOf(file))).copy(text);
    writeSector(sector, LICENCE, text);
    await file.write(sector, 0, SECTOR_BYTES, LICENCE * SECTOR_BYTES);
  } finally {
    await file.close();
  }
}

/** The data of the sectors that may hold programs. */
async function dataOf(file: FileHandle): Promise<Buffer> {
  const sectors = Buffer.alloc(LOOKED_AT * SECTOR_BYTES);
  const { bytesRead } = await file.read(sectors, 0, sectors.length, VOLUME * SECTOR_BYTES);
  const count = Math.floor(bytesRead / SECTOR_BYTES);
  const data = (i: number) => sectors.subarray(i * SECTOR_BYTES + DATA_AT, i * SECTOR_BYTES + DATA_AT + DATA_BYTES);
  return Buffer.concat(Array.from({ length: count }, (_, i) => data(i)));
}

/** A raw sector of mode 2; null if there is none. */
async function rawSector(file: FileHandle, number: number): Promise<Buffer | null> {
  const sector = Buffer.alloc(SECTOR_BYTES);
  const { bytesRead } = await file.read(sector, 0, SECTOR_BYTES, number * SECTOR_BYTES);
  const isRaw = bytesRead === SECTOR_BYTES && sector.readUInt32BE() === 0x00ffffff && sector[MODE_AT] === MODE_2;
  return isRaw ? sector : null;
}
