import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';

/** Chromium's session files: "SNSS", version i32, then commands of `size u16, id u8, payload`. */
const MAGIC = 0x53534e53;
const HEADER_BYTES = 8;
const TAB_NAVIGATION = 6;

/** A file without this command is incomplete, and Chromium ignores it. */
const INITIAL_STATE_MARKER = 255;

const READ_MAX_BYTES = 16 << 20;

/** Whether this session file contains tabs that Chromium can restore. */
export function hasTabs(file: Buffer): boolean {
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== MAGIC) return false;
  let tabs = false;
  let complete = false;
  for (let at = HEADER_BYTES; at + 3 <= file.length;) {
    const size = file.readUInt16LE(at);
    const id = file[at + 2];
    if (size === 0) break;
    tabs ||= id === TAB_NAVIGATION;
    complete ||= id === INITIAL_STATE_MARKER;
    at += 2 + size;
  }
  return tabs && complete;
}

/** Whether the profile has tabs of an earlier run. */
export function canRestore(profileFolder: string): boolean {
  const folder = `${profileFolder}/Default/Sessions`;
  try {
    const names = readdirSync(folder).filter(name => name.startsWith('Session_'));
    return names.some(name => hasTabs(readStart(`${folder}/${name}`)));
  } catch {
    return false;
  }
}

function readStart(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(fstatSync(file).size, READ_MAX_BYTES));
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}
