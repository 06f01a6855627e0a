import { writeFile } from 'node:fs/promises';
import { licence } from './ps1-licence.js';
import { DATA_BYTES, SECTOR_BYTES, writeSector } from './raw-disc.js';

const LICENCE = 4;
const VOLUME = 16;
const VOLUME_END = 17;
const PATHS = 18;
const PATHS_BIG_ENDIAN = 20;
const ROOT = 22;
const SETTINGS = 23;
const PROGRAM = 24;
/** Two seconds of padding at the end, for reading ahead. */
const SECTORS_BEHIND = 150;
const FOLDER = 2;
const STACK = 0x801fff00;

/** Writes a disc image (raw sectors) that starts a ps1 executable. */
export async function writeProgramDisc(program: Buffer, path: string, pal: boolean): Promise<void> {
  const settings = `BOOT = cdrom:\\GAME.EXE;1\r\nTCB = 4\r\nEVENT = 10\r\nSTACK = ${stackOf(program).toString(16)}\r\n`;
  const count = PROGRAM + Math.ceil(program.length / DATA_BYTES) + SECTORS_BEHIND;
  const sectors = new Map([
    [LICENCE, licence(pal)],
    [VOLUME, volume(count)],
    [VOLUME_END, Buffer.from('\xffCD001\x01', 'latin1')],
    [PATHS, paths(false)],
    [PATHS_BIG_ENDIAN, paths(true)],
    [ROOT, root(settings.length, program.length)],
    [SETTINGS, Buffer.from(settings)],
  ]);
  for (let at = 0; at < program.length; at += DATA_BYTES)
    sectors.set(PROGRAM + at / DATA_BYTES, program.subarray(at, at + DATA_BYTES));
  const disc = Buffer.alloc(count * SECTOR_BYTES);
  for (let i = 0; i < count; i++) {
    const data = Buffer.alloc(DATA_BYTES);
    sectors.get(i)?.copy(data);
    writeSector(disc.subarray(i * SECTOR_BYTES, (i + 1) * SECTOR_BYTES), i, data);
  }
  await writeFile(path, disc);
}

/** The initial stack pointer that a program's header asks for. */
const stackOf = (program: Buffer) => program.readUInt32LE(0x30) || STACK;

function volume(count: number): Buffer {
  const sector = Buffer.alloc(DATA_BYTES);
  sector.fill(' ', 8, 813);
  sector.write('\x01CD001\x01\0PLAYSTATION', 'latin1');
  sector.write('GAME', 40);
  sector.fill(0, 72, 190);
  twice(sector, 80, 4, count);
  twice(sector, 120, 2, 1);
  twice(sector, 124, 2, 1);
  twice(sector, 128, 2, DATA_BYTES);
  twice(sector, 132, 4, paths(false).length);
  sector.writeUInt32LE(PATHS, 140);
  sector.writeUInt32BE(PATHS_BIG_ENDIAN, 148);
  entry('\0', ROOT, DATA_BYTES, FOLDER).copy(sector, 156);
  sector.write('PLAYSTATION', 574);
  sector[881] = 1;
  return sector;
}

/** The path table; the root is the only folder. */
function paths(isBigEndian: boolean): Buffer {
  const table = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  if (isBigEndian) table.writeUInt32BE(ROOT, 2);
  else table.writeUInt32LE(ROOT, 2);
  if (isBigEndian) table.writeUInt16BE(1, 6);
  else table.writeUInt16LE(1, 6);
  return table;
}

const root = (settingsBytes: number, programBytes: number) =>
  Buffer.concat([
    entry('\0', ROOT, DATA_BYTES, FOLDER),
    entry('\x01', ROOT, DATA_BYTES, FOLDER),
    entry('GAME.EXE;1', PROGRAM, programBytes, 0),
    entry('SYSTEM.CNF;1', SETTINGS, settingsBytes, 0),
  ]);

/** A directory record. */
function entry(name: string, sector: number, size: number, flags: number): Buffer {
  const record = Buffer.alloc(33 + name.length + (name.length % 2 === 0 ? 1 : 0));
  record[0] = record.length;
  twice(record, 2, 4, sector);
  twice(record, 10, 4, size);
  // Any date will do: 1 January 2026.
  Buffer.from([126, 1, 1, 0, 0, 0, 0, flags]).copy(record, 18);
  twice(record, 28, 2, 1);
  record[32] = name.length;
  record.write(name, 33, 'latin1');
  return record;
}

/** ISO 9660 stores numbers in both byte orders, little-endian first. */
function twice(target: Buffer, at: number, bytes: 2 | 4, value: number): void {
  target.writeUIntLE(value, at, bytes);
  target.writeUIntBE(value, at + bytes, bytes);
}
